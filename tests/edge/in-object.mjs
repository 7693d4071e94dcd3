// Runs cases of a test inside Durable Objects in workerd, with the Worker's sources bundled by esbuild.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
  // Without it, an object cannot set an alarm.
  async alarm() {}
}

export default {
  async fetch(request, { PLACE }) {
    const { pathname } = new URL(request.url);
    if (!cases[Number(pathname.slice(1))]) return Response.json([]);
    return PLACE.get(PLACE.idFromName(pathname)).fetch(request);
  },
};
`;

/** Bundles sources of the Worker for workerd. Returns the modules of the bundle: the script, and the WebAssembly. */
async function modulesOf(contents) {
  const wasm = new Set();
  const findWasm = {
    name: 'wasm',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => {
        const name = basename(path, '?module');
        wasm.add(name);
        return { path: `./${name}`, external: true };
      }),
  };
  const bundled = await build({
    stdin: { contents, resolveDir: join(root, 'tests', 'edge'), loader: 'js' },
    ...{ bundle: true, format: 'esm', write: false, logLevel: 'silent' },
    ...{ conditions: ['workerd'], plugins: [findWasm] },
  });
  return [
    { type: 'ESModule', path: 'index.mjs', contents: bundled.outputFiles[0].text },
    ...[...wasm].map((name) => ({
      ...{ type: 'CompiledWasm', path: name },
      contents: readFileSync(join(root, 'dist', name)),
    })),
  ];
}

/**
 * Registers the cases that `file` in this folder exports, one subtest each. A case runs in an object of its own, with
 * the object's storage as its argument.
 * @param {string} file
 */
export function testInObjects(file) {
  testIn(`Durable Objects: ${file}`, async () => {
    const miniflare = new Miniflare({
      ...{ host: '127.0.0.1', port: 0, cf: false, compatibilityDate: '2026-04-01' },
      modules: await modulesOf(sourceOf(file)),
      durableObjects: { PLACE: { className: 'Place', useSQLite: true } },
    });
    const resultOf = async (index) => {
      const response = await within(miniflare.dispatchFetch(`http://localhost/${index}`));
      if (!response.ok) throw new Error(await response.text());
      return response.json();
    };
    const results = [];
    try {
      for (let ran = await resultOf(0); ran.length > 0; ran = await resultOf(results.length))
        results.push(...ran);
      return results;
    } finally {
      await miniflare.dispose();
    }
  });
}
