// DurableObjectStore on the real storage of a Durable Object, in workerd, with SQLite as on Cloudflare and in
// the older form with its limits.
import { testIn } from '../js/report.mjs';
import { answerOf, bundleInConsumer } from './bundle.mjs';

const source = `
import * as strata from 'prompt-strata';
import { runCases } from '../run-cases.mjs';
import { resumesAnywhere } from '../portable/resume.mjs';
import { keepsLines } from '../portable/stores.mjs';

export class Keeper {
  constructor({ storage }) {
    this.storage = storage;
  }
  async fetch() {
    const open = () => new strata.DurableObjectStore(this.storage);
    const place = async () => (await open().delete('one'), open);
    const cases = [
      { name: 'keeps lines and bytes', run: () => keepsLines(open()) },
      { name: 'a crash anywhere: the next process goes on', run: () => resumesAnywhere(strata, place) },
    ];
    return Response.json(await runCases(strata, { 'durable-object.test.mjs': cases }));
  }
}
export default {
  fetch: (request, { KEEPER }) => KEEPER.get(KEEPER.idFromName('one')).fetch(request),
};
`;

for (const useSQLite of [true, false]) {
  testIn(useSQLite ? 'a Durable Object' : 'a Durable Object of the older form', async () => {
    const options = await bundleInConsumer(`keeper-${useSQLite}`, source);
    const durableObjects = { KEEPER: { className: 'Keeper', useSQLite } };
    return answerOf({ ...options, durableObjects });
  });
}
