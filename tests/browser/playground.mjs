// Opens the page of `npm start` in Chromium for each test, with nothing stored.
import { beforeEach } from 'node:test';
import { freshPages, serveToChromium } from './served-chromium.mjs';

/** The origin to which the page sends requests with a key. */
export const api = 'https://generativelanguage.googleapis.com';

/** The page of the current test. */
export let page;
/** The URL of the page. */
export let url;
/** The errors that the page threw, and the errors and warnings it logged. */
export let complaints;
/** All origins to which the page sent a request. */
export let origins;

let opened;
let freshPage;

/** Registers the hooks that open the page. Call it once, at the top of a test file. */
export function openPlayground() {
  opened = serveToChromium();
  // The tests answer requests that a service worker would answer from its cache.
  freshPage = freshPages(opened, { serviceWorkers: 'block' }, watch);
  beforeEach(openPage);
}

function watch(newPage) {
  newPage.on('pageerror', (error) => complaints.push(String(error)));
  newPage.on('console', (message) => {
    const isBlocked = message.text() === 'Service Worker registration blocked by Playwright';
    if (['error', 'warning'].includes(message.type()) && !isBlocked)
      complaints.push(message.text());
  });
  newPage.on('request', (request) => origins.add(new URL(request.url()).origin));
}

async function openPage() {
  ({ url } = opened);
  page = await freshPage();
  complaints = [];
  origins = new Set();
  await page.goto(url);
  await openChat();
  await coreLoaded();
}

/** Opens the view Chat and the settings beside it. */
export async function openChat() {
  await page.getByRole('tab', { name: 'Chat' }).click();
  await page.getByTitle('Open or close the settings').click();
  await page.locator('#key').waitFor();
}

/** Waits until the core is loaded, as the footer shows. */
export const coreLoaded = () => page.getByText(/^prompt-strata \d/).waitFor();

/** Waits until no answer is streaming. */
export const idle = () => page.locator('#stop').waitFor({ state: 'detached' });

/** Sends a text and waits until the answer is complete. */
export async function ask(text) {
  await page.fill('#instruction', text);
  await page.press('#instruction', 'Enter');
  await idle();
}

/** Sends a message that causes two tool calls and two requests. */
export const askForWeather = () => ask('What is the weather in Paris and Rome?');

/** Simulates a service that never answers. */
export const never = () => new Promise(() => {});

/** Returns the body of the displayed request, joined from its layers. */
export async function shownBody() {
  return `${(await page.locator('.layer pre').allTextContents()).join('')}]}`;
}

/** Types a key and leaves the field. */
export async function setKey(key) {
  await page.fill('#key', key);
  await page.press('#key', 'Enter');
}

/** Answers the requests to Google with the fetch function `answer`, and returns the requests it receives. */
export async function answerApi(answer) {
  const requests = [];
  await page.route(`${api}/**`, async (route) => {
    const request = route.request();
    requests.push(request);
    const { status, headers, body } = await reply(answer, request);
    const cors = { 'access-control-allow-origin': '*' };
    await route.fulfill({ status, headers: { ...headers, ...cors }, body });
  });
  return requests;
}

async function reply(answer, request) {
  const init = { method: request.method(), headers: request.headers(), body: request.postData() };
  const response = await answer(new Request(request.url(), init));
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}
