// Prints the bytes that a process holds after a client was asked once in a conversation of this length:
// node --expose-gc hold.mjs <client> <turns>
import { history } from './history.mjs';
import './upstream.mjs';

const [client, turns] = process.argv.slice(2);
const { open } = await import(`./clients/${client}.mjs`);
const conversation = await open(history(Number(turns)));
await conversation.ask('Will it rain?');
// In several rounds, because some objects have finalizers.
for (let round = 0; round < 4; round++) {
  globalThis.gc();
  await new Promise((resolve) => setTimeout(resolve, 20));
}
const { heapUsed, external, rss } = process.memoryUsage();
// Clients may print what they like.
process.stdout.write(`\nresult ${JSON.stringify({ heap: heapUsed, external, rss })}\n`);
// The conversation is in use until here, so that nothing of it is collected before.
process.exit(conversation ? 0 : 1);
