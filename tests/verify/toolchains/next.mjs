// Next: a page in the browser, a route in Node and a route in the edge runtime, built by webpack and by Turbopack.
import { turnAt } from '../../support/turn-page.mjs';
import { turnFrom } from '../../support/turn-source.mjs';
import { installFolder } from './folder.mjs';
import { freePort } from '../../support/free-port.mjs';
import { startServer } from './server.mjs';

const nextBin = 'node_modules/next/dist/bin/next';

const route = (runtime) => `
import { turn } from '../../turn.mjs';
export const runtime = '${runtime}';
export const dynamic = 'force-dynamic';
export const GET = async () => new Response(await turn());
`;

const files = {
  'turn.mjs': turnFrom(),
  'app/layout.jsx':
    'export default ({ children }) => <html><head><title>waiting</title></head><body>{children}</body></html>;\n',
  'app/page.jsx': `
'use client';
import { useEffect } from 'react';
import { turn } from '../turn.mjs';
export default function Page() {
  useEffect(() => {
    turn().then((text) => (document.title = text), (error) => (document.title = 'failed: ' + error));
  }, []);
  return 'A turn';
}
`,
  'app/node/route.js': route('nodejs'),
  'app/edge/route.js': route('edge'),
};

const tools = { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' };

async function build(bundler, context) {
  const folder = await installFolder(`next-${bundler}`, context, { tools, type: undefined });
  folder.write(files);
  await folder.node(nextBin, 'build', `--${bundler}`);
  return folder;
}

// The three uses of one build.
const built = new Map();

function buildOnce(bundler, context) {
  if (!built.has(bundler)) built.set(bundler, build(bundler, context));
  return built.get(bundler);
}

async function textOf(url) {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(`HTTP ${response.status}\n${text}`);
  return text;
}

function casesOf(bundler, name) {
  const caseOf = (use, runsIn, read) => ({
    ...{ tool: 'Next', use: `${name}: ${use}`, runsIn },
    async run(context) {
      const folder = await buildOnce(bundler, context);
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const server = await startServer(folder, `${origin}/`, nextBin, 'start', '-p', String(port));
      try {
        return { text: await read(origin), version: folder.versionOf('next') };
      } finally {
        server.close();
      }
    },
  });
  return [
    caseOf('page', 'Chromium', (origin) => turnAt(`${origin}/`)),
    caseOf('Node route', "Next's server", (origin) => textOf(`${origin}/node`)),
    caseOf('edge route', "Next's edge runtime", (origin) => textOf(`${origin}/edge`)),
  ];
}

export const nextCases = [...casesOf('webpack', 'webpack'), ...casesOf('turbopack', 'Turbopack')];
