// The view Prompt: what a cache saves, the request with its layers and bytes, and problems of templates while one types.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inEachBrowser } from './drivers.mjs';
import { documentWith, linkTo } from './tools-page.mjs';

const saved = '[aria-label="What a cache saves"] [role=status]';
const firstPlace = 'tbody tr:nth-of-type(1) input';
const secondPlace = 'tbody tr:nth-of-type(2) input';
const request = '[aria-label="The request"]';
const body = '[aria-label="The body"]';
const failures = '[aria-label="Templates that fail"]';
const editorOf = (label) => `[aria-label="${label}"][role=textbox]`;
const staticEditor = editorOf('Static template');
const dynamicEditor = editorOf('Dynamic template');
const problems = '[aria-label="Problems of the static template"]';

// Read at the moment when they are there: what moves below the pointer later marks another layer.
const markedDynamic = () => {
  const labels = [...document.querySelectorAll('[aria-label="The body"] .marked')].map(
    ({ ariaLabel }) => ariaLabel,
  );
  return labels[0]?.startsWith('dynamic') && labels;
};

const withPrompt = (prompt) => {
  const value = documentWith([]);
  return linkTo({ ...value, view: 'prompt', prompt: { ...value.prompt, ...prompt } });
};

// With all that moves the rest down when it comes: what is under the pointer would change.
async function openPrompt(page) {
  await page.click('[role=tab]:nth-of-type(2)');
  await page.waitForText(saved, 'less');
  await page.waitForText(request, 'It moves behind each new turn');
}

inEachBrowser('the view Prompt', (page, alike) => {
  it('shows first what a cache saves with the example, for each place of the dynamic layer', async () => {
    await openPrompt(page);
    const share = (text) => Number(/(\d+) % less/.exec(text)[1]);
    const behind = await page.text(saved);
    assert.match(behind, /The input of 11 requests costs \$0\.0\d+ instead of \$0\.\d+\./);
    assert.ok(share(behind) > 75, behind);
    assert.ok(await page.evaluate((css) => document.querySelector(css).checked, firstPlace));
    assert.match(await page.text(body), /# Handbook/);
    // All numbers have separators.
    const numbers = await page.evaluate(() =>
      [...document.querySelectorAll('.prompt :is(.note, .saved, td, .layer-rows li)')]
        .map(({ textContent }) => textContent)
        .join('\n'),
    );
    assert.match(numbers, /begins at \d,\d{3} tokens/);
    assert.doesNotMatch(numbers, /(?<![.\d])\d{4,}/);
    // The other place reuses less; the choice makes the example the user's own.
    await page.click(secondPlace);
    await page.waitForText(request, 'current_datetime changed, which the dynamic layer contains');
    await page.waitFor(
      (css, before) => document.querySelector(css).textContent !== before,
      saved,
      behind,
    );
    assert.ok(share(await page.text(saved)) < share(behind));
    await page.waitForText('body', 'The example became your prompt');
    assert.deepEqual(await page.complaints(), []);
    assert.deepEqual(await page.origins(), [new URL(page.url).origin]);
  });

  it('leads from a layer to its bytes and back, by mouse', async () => {
    await openPrompt(page);
    await page.click('[aria-label="Show the dynamic layer in the body"]');
    const [marked, ...others] = await page.waitFor(markedDynamic);
    assert.match(marked, /^dynamic layer \(dynamic\): bytes [\d,]+ to [\d,]+ of the body$/);
    assert.deepEqual(others, []);
    await page.click(`${body} [data-layer=trigger]`);
    await page.waitFor(
      () => document.querySelector('[aria-label=Layers] .marked button')?.textContent === 'trigger',
    );
  });

  alike('shows the error of a template beside it, and no request as if it were good', async () => {
    await page.goto(withPrompt({ static: 'One\r\n{% if true %}\r\n', dynamic: '{"now": 1}' }));
    await page.waitForText(problems, 'Line');
    await page.waitFor('.cm-lintRange-error');
    await page.waitForText(failures, 'The static template');
    assert.equal(await page.text(saved), null);
    // The body is there, but folded away.
    assert.equal(
      await page.evaluate((css) => document.querySelector(css).checkVisibility(), body),
      false,
    );
  });

  alike('hints at undefined names while one types, and adds them, by keyboard', async () => {
    await page.click('[role=tab]:nth-of-type(2)');
    await page.focus(staticEditor);
    await page.press('Control+Home');
    await page.type('{% if visitor %}{{ museum.nmae | uper }}{% endif %}');
    await page.waitForText(problems, "'visitor' is not defined");
    await page.waitForText(problems, "'museum' has no member 'nmae'");
    await page.waitForText(problems, "There is no filter 'uper'");
    await page.focus('[aria-label="Add visitor to the variables"]');
    await page.press('Enter');
    await page.waitFor(() => document.activeElement.ariaLabel === 'Variables as JSON');
    await page.type('x');
    await page.waitForText(editorOf('Variables as JSON'), '"visitor": "x"');
    await page.waitFor(
      (css) => !document.querySelector(css).textContent.includes("'visitor'"),
      problems,
    );
    assert.deepEqual(await page.complaints(), []);
  });

  alike('completes variables and filters, by keyboard', async () => {
    await openPrompt(page);
    // CodeMirror ignores Enter in the first moments of a list.
    const accept = async (text) => {
      await page.waitForText('.cm-tooltip-autocomplete', text);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 120)));
      await page.press('Enter');
    };
    await page.focus(dynamicEditor);
    await page.press('Control+End');
    await page.type('{{ noti');
    await accept('notices');
    await page.type(' | toj');
    await accept('tojson');
    await page.waitForText(dynamicEditor, '{{ notices | tojson');
    await page.type(' }}{% for room in rooms %}{{ room.fl');
    await accept('floor');
    await page.type(' }}{{ museum.tick');
    await accept('ticket');
    await page.waitForText(dynamicEditor, '{{ room.floor }}{{ museum.ticket');
  });
});
