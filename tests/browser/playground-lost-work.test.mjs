// The playground in Chromium: what a user typed or was answered is not lost when something else takes its place.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEmulator } from 'prompt-strata/testing';
import { answerApi, ask, complaints, never, openPlayground, page, setKey } from './playground.mjs';
import { documentWith, linkTo } from './tools-page.mjs';

openPlayground();

const saved = () => page.getByText('Saved in this browser.').waitFor();
const openTab = (name) => page.getByRole('tab', { name }).click();
const openSessions = () => page.getByRole('button', { name: 'Sessions' }).click();
const editor = () => page.locator('.cm-content');
const answered = () => page.locator('.turn.model').first().waitFor();

const messageIs = (text) =>
  page.waitForFunction((value) => document.querySelector('#instruction').value === value, text);

async function newSession() {
  await openSessions();
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByRole('tab', { name: 'Lint', selected: true }).waitFor();
}

describe('another session', () => {
  it('shows its own chat, also if the palette prepared that of the last one', async () => {
    await ask('Hello from the first session');
    await openTab('Lint');
    await saved();
    await page.reload();
    await page.getByRole('button', { name: 'Commands' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Start a new chat' }).waitFor();
    await page.keyboard.press('Escape');
    await newSession();
    await openTab('Chat');
    await ask('Hello from the second one');
    await answered();
    assert.deepEqual(await page.locator('.turn.user .text').allTextContents(), [
      'Hello from the second one',
    ]);
    await saved();
    await openSessions();
    await page.getByRole('button', { name: /^Open: / }).click();
    await openTab('Chat');
    await page.locator('.turn.user .text', { hasText: 'Hello from the first session' }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('leaves what was typed in Lint, also if it was not linted yet', async () => {
    await saved();
    await openTab('Lint');
    await editor().waitFor();
    await saved();
    // The linting ends no more.
    await page.evaluate(() => {
      Worker.prototype.postMessage = () => {};
    });
    const text = '{"contents": "typed last"}';
    await editor().fill(text);
    await newSession();
    await editor().filter({ hasNotText: 'typed last' }).waitFor();
    await openSessions();
    await page.getByRole('button', { name: /^Open: / }).click();
    await editor().getByText('typed last').waitFor();
  });

  it('leaves the message that was not sent, which stays in its own session', async () => {
    const message = page.locator('#instruction');
    await message.fill('Not sent yet');
    await saved();
    await page.reload();
    await message.waitFor();
    assert.equal(await message.inputValue(), 'Not sent yet');
    await newSession();
    await openTab('Chat');
    await message.waitFor();
    assert.equal(await message.inputValue(), '');
    await openSessions();
    await page.getByRole('button', { name: /^Open: / }).click();
    await messageIs('Not sent yet');
    assert.deepEqual(complaints, []);
  });

  it('gets no message that was being sent in the last one', async () => {
    const message = page.locator('#instruction');
    // The core of the next conversation loads no more, so that the message is not sent.
    await page.evaluate(() => (WebAssembly.instantiate = () => new Promise(() => {})));
    await page.evaluate(() => (WebAssembly.instantiateStreaming = () => new Promise(() => {})));
    await page.click('#new');
    await message.fill('Being sent');
    await page.click('#send');
    await page.locator('#stop:enabled').waitFor();
    await newSession();
    await openTab('Chat');
    await page.locator('#stop:disabled').waitFor();
    assert.equal(await message.inputValue(), '');
    await openSessions();
    await page.getByRole('button', { name: /^Open: / }).click();
    await messageIs('Being sent');
  });

  it('is left for a shared link, and found again', async () => {
    await page.selectOption('#model', 'gemini-2.5-pro');
    await saved();
    const hash = linkTo(documentWith([]));
    await page.evaluate((fragment) => (location.hash = fragment), hash);
    await page.locator('.guide', { hasText: 'This is a shared link.' }).waitFor();
    assert.equal(await page.inputValue('#model'), 'gemini-3.8-flash');
    await page.getByRole('button', { name: 'Back to my session' }).click();
    await page.locator('.guide').waitFor({ state: 'hidden' });
    assert.equal(await page.inputValue('#model'), 'gemini-2.5-pro');
    await openSessions();
    assert.equal(await page.locator('.sessions li').count(), 1);
    assert.deepEqual(complaints, []);
  });
});

describe('an edit', () => {
  it('of a turn waits while an answer streams', async () => {
    const emulator = createEmulator();
    let isSilent = false;
    await answerApi((request) => (isSilent ? never() : emulator(request)));
    await setKey('a-key-that-the-emulator-takes');
    await ask('Hello');
    await answered();
    await page.getByRole('button', { name: 'Edit turn 1' }).click();
    await page.locator('.turn-form textarea').fill('Hello, edited');
    isSilent = true;
    await page.fill('#instruction', 'And again');
    await page.press('#instruction', 'Control+Enter');
    await page.locator('#stop:enabled').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Wait until the answer has ended.').waitFor();
    await page.locator('#stop').click();
    await page.locator('#stop:disabled').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.turn.user .text', { hasText: 'Hello, edited' }).waitFor();
  });

  it('of a turn stays open while a branch is deleted', async () => {
    await ask('Hello');
    await answered();
    await page.click('#new');
    await ask('And again');
    await answered();
    await page.locator('.branches summary').click();
    const remove = page.getByRole('button', { name: /^Delete the branch/ });
    await remove.waitFor();
    await page.getByRole('button', { name: 'Edit turn 1' }).click();
    await page.locator('.turn-form textarea').fill('Hello, edited');
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    assert.equal(await page.locator('.turn-form textarea').inputValue(), 'Hello, edited');
  });

  it('of the generationConfig that is no JSON yet survives other changes', async () => {
    const json = page.locator('#generation-config');
    await page.locator('summary', { hasText: 'generationConfig' }).click();
    await json.fill('{ "topK": ');
    const problem = page.getByText('This is not a JSON object');
    await problem.waitFor();
    await page.selectOption('#model', 'gemini-2.5-pro');
    await page.fill('#config-temperature', '0.5');
    assert.equal(await json.inputValue(), '{ "topK": ');
    assert.ok(await problem.isVisible());
    await json.fill('{ "topK": 7 }');
    await problem.waitFor({ state: 'detached' }).catch(() => {});
    await page.selectOption('#model', 'gemini-3.8-flash');
    assert.match(await json.inputValue(), /"topK": 7/);
    assert.equal(await page.inputValue('#config-topK'), '7');
  });
});

describe('the choice of a request in Lint', () => {
  it('ends with the request', async () => {
    await openTab('Lint');
    const line = (text) => JSON.stringify({ contents: [{ role: 'user', parts: [{ text }] }] });
    const wrong = '{"contents": []}';
    await editor().fill(`${wrong}\n${line('Hello')}`);
    const request = page.locator('#lint-request');
    await request.waitFor();
    await request.selectOption({ index: 1 });
    await page.locator('.lint-state', { hasText: 'No findings' }).waitFor();
    await editor().fill(wrong);
    await page.locator('.lint-state', { hasText: '1 error' }).waitFor();
  });
});
