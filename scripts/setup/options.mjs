// Parses command-line options. `--help` prints the usage and exits with 0; invalid options are errors.
import { parseArgs } from 'node:util';
import { SetupError } from './run.mjs';

function parse(usage, settings) {
  try {
    return parseArgs(settings);
  } catch (error) {
    const [reason] = error.message.split('. ');
    throw new SetupError(`${reason}\n\n${usage}`);
  }
}

/**
 * Parses the command line: options, and arguments that are not options.
 * @param {string} usage
 * @param {import('node:util').ParseArgsConfig['options']} [options]
 */
export function readCommand(usage, options = {}, allowPositionals = true) {
  const help = { type: 'boolean', short: 'h' };
  const parsed = parse(usage, { options: { ...options, help }, allowPositionals });
  if (!parsed.values.help) return parsed;
  console.log(usage);
  process.exit(0);
}

/**
 * Parses the command line of a command that takes options only.
 * @param {string} usage
 * @param {import('node:util').ParseArgsConfig['options']} [options]
 */
export const readOptions = (usage, options) => readCommand(usage, options, false).values;

/**
 * Parses a port.
 * @throws SetupError
 */
export function readPort(text, usage) {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65536) return Number(text);
  throw new SetupError(`${text} is not a valid port\n\n${usage}`);
}

/**
 * Parses an integer of at least `min`, the value of the option `name`.
 * @throws SetupError
 */
export function readNumber(name, text, usage, min = 0) {
  if (/^\d{1,9}$/.test(text) && Number(text) >= min) return Number(text);
  const expected = `an integer from ${min} to 999999999`;
  throw new SetupError(`--${name} must be ${expected}, not ${JSON.stringify(text)}\n\n${usage}`);
}
