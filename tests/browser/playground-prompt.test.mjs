// The view Prompt: by mouse and by keyboard, from an empty prompt to what a change costs.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inEachBrowser } from './drivers.mjs';
import { documentWith, linkTo } from './tools-page.mjs';

const start = '.prompt-start button';
const staticEditor = '[aria-label="Static template"] .cm-content';
const dynamicEditor = '[aria-label="Dynamic template"] .cm-content';
const error = '[aria-label="Static template"] .cm-lintRange-error';
const behind = 'input[value="before-current-turn"]';

// Returns the shares of the table of placements, in percent, and the sums in USD.
function costsShown() {
  const rows = [...document.querySelectorAll('.prompt tbody tr')];
  const numbers = rows.map(({ cells }) => [parseInt(cells[1].textContent), cells[3].textContent]);
  return numbers.every(([share]) => share >= 0) ? numbers : null;
}

const shownBody = () => JSON.parse(document.querySelector('.body-text')?.textContent ?? 'null');

const markedBytes = () =>
  [...document.querySelectorAll('.body-text .marked')].map((part) => part.ariaLabel);

const markedRow = () => document.querySelector('.stack-rows .marked button')?.textContent;

async function openPrompt(page) {
  await page.click('[role=tab]:nth-of-type(2)');
  await page.waitFor('.prompt-columns');
}

async function startFromExample(page) {
  await openPrompt(page);
  await page.click(start);
  await page.waitForText('.body-text', '## tickets');
}

inEachBrowser('the view Prompt', (page) => {
  it('shows by mouse what each layer is, what changed, and what the placement costs', async () => {
    await startFromExample(page);
    await page.waitForText('.reason', 'current_datetime changed');
    const body = await page.evaluate(shownBody);
    assert.match(body.systemInstruction.parts[0].text, /## tickets\nA ticket costs 9.5 euros/);
    assert.equal(body.contents.length, 22);
    // The dynamic layer precedes the history.
    assert.match(body.contents[0].parts[0].text, /"current_datetime": "\d{4}-/);
    // Until the costs are there, they move what is clicked.
    const [front, last] = await page.waitFor(costsShown);
    assert.ok(front[0] < 20 && last[0] > 80, `${front[0]} % and ${last[0]} %`);
    await page.click('.stack-rows button.dynamic');
    const [marked, ...others] = await page.evaluate(markedBytes);
    assert.match(marked, /^dynamic layer \(dynamic\): bytes [\d,]+ to [\d,]+ of the body$/);
    assert.deepEqual(others, []);
    await page.click('.body-text .part.static');
    assert.equal(await page.evaluate(markedRow), 'static');
    await page.click(behind);
    await page.waitForText('.reason', 'It moves behind each new turn');
    const moved = await page.evaluate(shownBody);
    assert.match(moved.contents.at(-2).parts[0].text, /"current_datetime"/);
    assert.deepEqual(await page.complaints(), []);
    assert.deepEqual(await page.origins(), [new URL(page.url).origin]);
  });

  it('shows the problems of a template whose lines ended as on Windows', async () => {
    const document = documentWith([]);
    const prompt = { ...document.prompt, static: 'One\r\n{{ nothing.at.all }\r\n' };
    await page.goto(linkTo({ ...document, view: 'prompt', prompt }));
    await page.waitForText('.template-problems', 'Line 2');
    await page.waitFor(error);
  });

  it('counts what a cache serves once the stable start reaches the minimum of the model', async () => {
    await startFromExample(page);
    await page.waitForText('.verdict', 'no stable start is long enough');
    await page.click(staticEditor);
    await page.type('{{ "a handbook of many words " * 900 }}');
    await page.waitForText('.verdict', 'costs');
    const [front, last] = await page.waitFor(costsShown);
    const [more, less] = [front[1], last[1]].map((text) => Number(text.slice(1)));
    assert.ok(more > less, `${more} and ${less}`);
  });

  it('marks errors and undefined names while one types, by keyboard only', async () => {
    await openPrompt(page);
    await page.focus(staticEditor);
    await page.type('Hello {{ visitor }}');
    await page.waitForText('.template-problems .warning', "'visitor' is not defined");
    await page.waitFor('[aria-label="Static template"] .cm-lintRange-warning');
    // A field of the form sets the variable.
    await page.focus('#variable-visitor');
    await page.type('x');
    await page.waitForText('.variable', 'read by static');
    await page.waitFor(() => document.querySelector('.template-problems li') === null);
    await page.focus(staticEditor);
    await page.press('Control+End');
    await page.type(' {% if %}');
    await page.waitForText('.template-problems .error', 'Expected an expression');
    await page.waitFor(error);
    assert.equal(await page.text(error), '%');
    assert.deepEqual(await page.complaints(), []);
  });

  it('completes variables, filters and tags by keyboard', async () => {
    await startFromExample(page);
    await page.focus(dynamicEditor);
    await page.press('Control+End');
    await page.type('{{ noti');
    await page.waitForText('.cm-tooltip-autocomplete', 'notices');
    // CodeMirror ignores Enter in the first moments of a list.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 120)));
    await page.press('Enter');
    await page.type(' | toj');
    await page.waitForText('.cm-tooltip-autocomplete', 'tojson');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 120)));
    await page.press('Enter');
    await page.waitForText(dynamicEditor, '{{ notices | tojson');
  });

  it('keeps what it removes until it is not needed', async () => {
    await startFromExample(page);
    await page.click('[aria-label="Remove section 1"]');
    await page.waitFor(() => document.querySelector('[aria-label="Section 1"]') === null);
    await page.click('.offers button');
    await page.waitForText('[aria-label="Section 1"] .cm-content', 'A ticket costs');
    await page.click('[aria-label="Remove rules"]');
    await page.waitForText('.template-problems', "'rules' is not defined");
    await page.click('.offers button');
    await page.waitFor(() => document.querySelector('#variable-rules').value.startsWith('['));
  });
});
