// npm run pictures: makes the pictures of the playground in docs/pictures, in Chromium, at 1280 and 390 pixels.
import { join } from 'node:path';
import { readOptions } from '../../scripts/setup/options.mjs';
import { prepare } from '../../scripts/setup/prepare.mjs';
import { main, root, step } from '../../scripts/setup/run.mjs';

const viewports = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

const shown = (page) => page.locator('.view:not([hidden]) *').first().waitFor();

/** Each view, with something to look at. */
const views = {
  lint: (page) => page.locator('.lint .cm-content').waitFor(),
  prompt: async (page) => {
    await page.getByRole('tab', { name: 'Prompt' }).click();
    await page.getByRole('status').filter({ hasText: 'The input of' }).waitFor();
  },
  chat: async (page) => {
    await page.getByRole('tab', { name: 'Chat' }).click();
    await page.fill('#instruction', 'What is the weather in Paris and Rome?');
    await page.click('#send');
    await page.locator('#stop').waitFor({ state: 'detached' });
  },
};

async function takePicture(browser, url, view, kind) {
  const context = await browser.newContext({ viewport: viewports[kind], colorScheme: 'light' });
  const page = await context.newPage();
  await page.goto(url);
  await shown(page);
  await page.locator('.finding').first().waitFor();
  await views[view](page);
  // Until the worker has answered and the editor is drawn.
  await page.waitForTimeout(2000);
  await page.evaluate(() => scrollTo(0, 0));
  const path = join(root, 'docs', 'pictures', `playground-${view}-${kind}.png`);
  await page.screenshot({ path });
  await context.close();
}

await main(() => readOptions('Usage: npm run pictures'));
await prepare('package', 'browsers');
await main(async () => {
  const { launchChromium } = await import('../../tests/support/chromium.mjs');
  const { buildPlayground, servePlayground } = await import('../../scripts/setup/playground.mjs');
  await step('bundle the playground', buildPlayground);
  const server = await servePlayground({ port: 0 });
  const browser = await launchChromium();
  try {
    const [url] = server.urls;
    for (const view of Object.keys(views))
      for (const kind of Object.keys(viewports))
        await step(`${view}, ${kind}`, () => takePicture(browser, url, view, kind));
  } finally {
    await browser.close();
    await server.close();
  }
});
