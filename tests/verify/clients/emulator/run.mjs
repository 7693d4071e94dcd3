// Runs the trials of one client and prints the results: node run.mjs <client> <base URL>
import { runTrials } from './trials.mjs';

const [client, baseUrl] = process.argv.slice(2);
const { default: trials } = await import(`./${client}.mjs`);
// Clients may print what they like.
process.stdout.write(`\nresults ${JSON.stringify(await runTrials(trials, baseUrl))}\n`);
process.exit(0);
