// Helps the tests of tools: fills fields, opens a document with tools, and asks a question that calls them.
import { deflateRawSync } from 'node:zlib';

/** Replaces the text of a field, as typing does. */
export async function fill(page, css, text) {
  await page.waitFor(css);
  await page.evaluate(
    (selector, value) => {
      const field = document.querySelector(selector);
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    },
    css,
    text,
  );
}

/** Clicks the first shown button with exactly this text inside `css`. */
export async function press(page, css, text) {
  await page.waitFor(
    (selector, label) => {
      const buttons = [...document.querySelectorAll(`${selector} button`)];
      const found = buttons.find(
        (one) => one.textContent === label && one.getClientRects().length > 0 && !one.disabled,
      );
      if (!found || found.ariaDisabled === 'true') return false;
      found.scrollIntoView({ block: 'center' });
      found.focus();
      return document.activeElement === found;
    },
    css,
    text,
  );
  await page.press('Enter');
}

/** Opens the view Chat. */
export async function openChat(page) {
  await page.click('[role=tab]:nth-of-type(3)');
  await page.waitFor('#instruction');
}

/** Opens the form with the tools in the settings. */
export async function openTools(page) {
  await page.click('.service');
  await page.waitFor('#tools');
  await page.evaluate(() => (document.querySelector('#tools details').open = true));
}

/** Sends a message. */
export async function ask(page, text) {
  await fill(page, '#instruction', text);
  await page.focus('#instruction');
  await page.press('Enter');
  await sent(page);
}

/** Waits until the message is sent, which empties its field. Stop could be enabled too shortly to be seen. */
export const sent = (page) =>
  page.waitFor(() => document.querySelector('#instruction').value === '');

/** Waits until no answer is streaming. */
export const idle = (page) => page.waitFor(() => !document.querySelector('#stop'));

/** Returns a document with tools, as a shared link holds it. */
export const documentWith = (tools) => ({
  version: 1,
  view: 'chat',
  settings: {
    model: 'gemini-3.8-flash',
    backend: 'gemini',
    generationConfig: '',
    tools: tools.length === 0 ? '' : JSON.stringify(tools),
    caching: false,
  },
  lint: { text: '' },
  prompt: { static: '', dynamic: '', variables: '{}', placement: 'before-current-turn' },
  chat: { saved: '', numbers: [] },
});

/** Returns a shared link to a document. */
export const linkTo = (document) =>
  `#d1.${deflateRawSync(JSON.stringify(document)).toString('base64url')}`;

/** Returns a tool that the emulator calls when it is asked for the weather. */
export const weatherTool = {
  name: 'get_weather',
  description: 'The weather in a city.',
  parametersJsonSchema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
};
