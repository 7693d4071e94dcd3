// Runs cases of a test inside Durable Objects in workerd, with the Worker's sources bundled by esbuild.
import { join } from 'node:path';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { root } from '../../scripts/setup/run.mjs';
import { testIn } from '../js/report.mjs';
import { within } from './worker-process.mjs';

const sourceOf = (file) => `
import { runCases } from '../js/run-cases.mjs';
import cases from './${file}';

export class Place {
  constructor({ storage }) {
    this.storage = storage;
  }
  async fetch(request) {
    const { name, run } = cases[Number(new URL(request.url).pathname.slice(1))];
    return Response.json(await runCases(this.storage, { '${file}': [{ name, run }] }));
  }
}

export default {
  async fetch(request, { PLACE }) {
    const results = [];
    for (const [index] of cases.entries()) {
      const place = PLACE.get(PLACE.idFromName(String(index)));
      results.push(...(await (await place.fetch('https://place/' + index)).json()));
    }
    return Response.json(results);
  },
};
`;

/**
 * Registers the cases that `file` in this folder exports, one subtest each. A case runs in an object of its own, with
 * the object's storage as its argument.
 * @param {string} file
 */
export function testInObjects(file) {
  testIn(`Durable Objects: ${file}`, async () => {
    const bundled = await build({
      stdin: { contents: sourceOf(file), resolveDir: join(root, 'tests', 'edge'), loader: 'js' },
      ...{ bundle: true, format: 'esm', write: false, external: ['#core', '#wasm'] },
      logLevel: 'silent',
    });
    const miniflare = new Miniflare({
      ...{ host: '127.0.0.1', port: 0, cf: false, compatibilityDate: '2026-04-01' },
      ...{ modules: true, script: bundled.outputFiles[0].text },
      durableObjects: { PLACE: { className: 'Place', useSQLite: true } },
    });
    try {
      const response = await within(miniflare.dispatchFetch('http://localhost/'));
      if (!response.ok) throw new Error(await response.text());
      return await response.json();
    } finally {
      await miniflare.dispose();
    }
  });
}
