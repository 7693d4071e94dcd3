// Why this file exists: commands read what they are given alike: `--help` tells the usage and is no failure,
// what is unknown or no port is one.
import { parseArgs } from 'node:util';
import { SetupError } from './run.mjs';

/**
 * The options of the command line.
 * @param {string} usage
 * @param {import('node:util').ParseArgsConfig['options']} [options]
 */
export function readOptions(usage, options = {}) {
  const help = { type: 'boolean', short: 'h' };
  let values;
  try {
    ({ values } = parseArgs({ options: { ...options, help } }));
  } catch (error) {
    const [reason] = error.message.split('. ');
    throw new SetupError(`${reason}\n\n${usage}`);
  }
  if (!values.help) return values;
  console.log(usage);
  process.exit(0);
}

/** A port that was written as `text`. */
export function readPort(text, usage) {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65536) return Number(text);
  throw new SetupError(`${text} is no port\n\n${usage}`);
}

/** A whole number from `least` on that was written as `text` behind the option `name`. */
export function readNumber(name, text, usage, least = 0) {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  const wanted = `a whole number from ${least} to 999999999`;
  throw new SetupError(`--${name} must be ${wanted}, not ${JSON.stringify(text)}\n\n${usage}`);
}
