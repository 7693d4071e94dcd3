// Runs one trial of a client and prints the answers or the error: node run.mjs <client> <use> <base URL>
import { converse } from './conversation.mjs';

const [client, use, baseUrl] = process.argv.slice(2);
const { default: uses } = await import(`./${client}.mjs`);
// Clients may print what they like.
process.stdout.write(`\nresult ${JSON.stringify(await converse(uses[use], baseUrl))}\n`);
process.exit(0);
