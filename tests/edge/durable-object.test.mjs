// Tests DurableObjectStore with the storage of a Durable Object in workerd, with the SQLite backend and with the older
// key-value backend and its limits.
import { testIn } from '../js/report.mjs';
import { answerOf, bundleInConsumer } from './bundle.mjs';

const source = `
import { pkg } from '../package.mjs';
import { runCases } from '../run-cases.mjs';
import { checkCrashRecovery } from '../portable/resume.mjs';
import { checkStore } from '../portable/stores.mjs';

export class Keeper {
  constructor({ storage }) {
    this.storage = storage;
  }
  async fetch() {
    const open = () => new pkg.DurableObjectStore(this.storage);
    const newPlace = async () => (await open().delete('one'), open);
    const cases = [
      { name: 'stores lines and bytes', run: () => checkStore(open()) },
      { name: 'resumes after a crash', run: () => checkCrashRecovery(pkg, newPlace) },
    ];
    return Response.json(await runCases(pkg, { 'durable-object.test.mjs': cases }));
  }
}
export default {
  fetch: (request, { KEEPER }) => KEEPER.get(KEEPER.idFromName('one')).fetch(request),
};
`;

for (const useSQLite of [true, false]) {
  testIn(useSQLite ? 'a Durable Object' : 'a Durable Object with key-value storage', async () => {
    const options = await bundleInConsumer(`keeper-${useSQLite}`, source);
    const durableObjects = { KEEPER: { className: 'Keeper', useSQLite } };
    return answerOf({ ...options, durableObjects });
  });
}
