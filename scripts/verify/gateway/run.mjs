// Runs one trial of a client and prints the answers or the error: node run.mjs <client> <use> <base URL>
import { askAll } from './conversation.mjs';

const [client, use, baseUrl] = process.argv.slice(2);
const { default: uses } = await import(`./${client}.mjs`);

async function attempt() {
  try {
    return { answers: await askAll(await uses[use](baseUrl)) };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
}

// Clients may print what they like.
process.stdout.write(`\nresult ${JSON.stringify(await attempt())}\n`);
process.exit(0);
