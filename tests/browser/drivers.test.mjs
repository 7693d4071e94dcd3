// What the drivers of the three browsers have in common: the tests of the page rely on it.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inEachBrowser } from './drivers.mjs';
import { namesOfStored, quietFile } from './drivers/stored-data.mjs';

inEachBrowser('the drivers', (page) => {
  it('click, type, press keys, and report what goes wrong', async () => {
    await page.click('[role=tab]:nth-of-type(3)');
    await page.waitForText('[role=tab][aria-selected=true]', 'Chat');
    await page.click('#instruction');
    await page.type('Hello {"a": [1]}');
    await page.press('Shift+Home');
    await page.press('Delete');
    await page.type('Good morning');
    const typed = await page.evaluate((id) => document.getElementById(id).value, 'instruction');
    assert.equal(typed, 'Good morning');
    assert.deepEqual(await page.complaints(), []);
    assert.deepEqual(await page.origins(), [new URL(page.url).origin]);
    await page.evaluate(async () => {
      console.warn('a warning');
      const image = document.createElement('img');
      image.src = 'https://example.test/a.png';
      document.body.append(image);
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    const complaints = (await page.complaints()).join('\n');
    assert.match(complaints, /a warning/);
    assert.match(complaints, /policy: img-src blocked https:\/\/example\.test/);
    await page.fresh();
    await page.goto('#nothing');
    assert.deepEqual(await page.complaints(), []);
  });

  it('begin with nothing stored', async () => {
    for (let times = 0; times < 2; times += 1) {
      await page.click('[role=tab]:nth-of-type(3)');
      await page.click('#instruction');
      await page.type('Hello');
      await page.waitForText('#saving', 'Saved');
      await page.waitFor(() => navigator.serviceWorker.controller !== null);
      assert.equal((await page.evaluate(namesOfStored)).length, 4);
      await page.fresh();
      await page.goto(quietFile);
      assert.deepEqual(await page.evaluate(namesOfStored), []);
      assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null);
      await page.goto();
      await page.waitFor('[role=tab][aria-selected=true]#tab-lint');
    }
  });
});
