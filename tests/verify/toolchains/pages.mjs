// Toolchains that serve or build a page: Vite, and no bundler at all.
import { launchChromium } from '../../support/chromium.mjs';
import { pageScript, pageWith, turnAt, turnInFolder } from '../../support/turn-page.mjs';
import { fileIn, turnFrom } from '../../support/turn-source.mjs';
import { freePort } from '../../support/free-port.mjs';
import { installFolder } from './folder.mjs';
import { startServer } from './server.mjs';

const moduleScript = '<script type="module" src="./main.mjs"></script>';

const viteBin = 'node_modules/vite/bin/vite.js';

async function viteFolder(vite, context) {
  const folder = await installFolder(`vite${vite.split('.')[0]}`, context, { tools: { vite } });
  folder.write({
    'turn.mjs': turnFrom(),
    'main.mjs': pageScript,
    'index.html': pageWith(moduleScript),
  });
  return folder;
}

async function turnOfServer(folder, ...args) {
  const port = await freePort();
  const address = ['--host', '127.0.0.1', '--port', String(port), '--strictPort'];
  const url = `http://127.0.0.1:${port}/`;
  const server = await startServer(folder, url, viteBin, ...args, ...address);
  try {
    return await turnAt(url);
  } finally {
    server.close();
  }
}

function viteCases(version) {
  const tool = { tool: 'Vite', major: version.split('.')[0], runsIn: 'Chromium' };
  return [
    {
      ...{ ...tool, use: 'dev server' },
      async run(context) {
        const folder = await viteFolder(version, context);
        return { text: await turnOfServer(folder), version: folder.versionOf('vite') };
      },
    },
    {
      ...{ ...tool, use: 'build' },
      async run(context) {
        const folder = await viteFolder(version, context);
        await folder.node(viteBin, 'build');
        return { text: await turnOfServer(folder, 'preview'), version: folder.versionOf('vite') };
      },
    },
  ];
}

const bareModule = turnFrom(fileIn('./node_modules/prompt-strata/dist'));

async function chromiumVersion() {
  const browser = await launchChromium();
  const version = browser.version();
  await browser.close();
  return version;
}

export const pageCases = [
  ...['5.4.9', '6.4.6', '7.3.8', '8.3.8'].flatMap(viteCases),
  {
    tool: 'No bundler',
    use: '`<script type="module">` without an import map',
    runsIn: 'Chromium',
    async run(context) {
      const folder = await installFolder('script', context);
      folder.write({
        'turn.mjs': bareModule,
        'main.mjs': pageScript,
        'index.html': pageWith(moduleScript),
      });
      return {
        text: await turnInFolder(folder.path),
        version: `Chromium ${await chromiumVersion()}`,
      };
    },
  },
];
