// Prints the milliseconds from the import of a client until it calls `fetch` for the first time, in this fresh process:
// node fresh.mjs <client>
import { upstream } from './upstream.mjs';

const start = performance.now();
const { open } = await import(`./clients/${process.argv[2]}.mjs`);
const conversation = await open([]);
const imported = performance.now();
await conversation.ask('Hello');
const times = { opened: imported - start, requested: upstream.calledAt - start };
// Clients may print what they like.
process.stdout.write(`\nresult ${JSON.stringify(times)}\n`);
process.exit(0);
