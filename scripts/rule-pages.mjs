// Renders the pages of the rules in the playground: what each rule says, its failing example and the repaired one.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  examples,
  inputText,
  isText,
  kinds,
  model,
  shownInput,
  withoutExample,
} from './examples.mjs';

const catalogue = fileURLToPath(new URL('../src/catalogue/catalogue.json', import.meta.url));

// What the view Lint can be told about a request besides its text.
const liveOptions = ['model', 'backend', 'dummySignatures'];
const maxLiveLength = 50_000;

/** Returns whether the view Lint shows the finding of an example: it is text, not too long, with no other options. */
function isLive({ kind, options = {}, failing }) {
  if (kind !== 'body') return false;
  const others = Object.keys(options).filter((name) => !liveOptions.includes(name));
  if (others.length > 0) return false;
  const hasBytes = isText(failing) && failing.$text.some(({ $byte }) => $byte !== undefined);
  return !hasBytes && inputText(failing).length < maxLiveLength;
}

/** Returns an example's inputs: as they are if Lint shows them, else shortened. */
function exampleOf(code) {
  const example = examples.find((one) => one.code === code);
  if (!example) return { without: withoutExample[code] ?? 'It has no example.' };
  const { kind, options = {}, fixedOptions = {}, failing, fixed } = example;
  const live = isLive(example);
  const text = (value) =>
    live ? inputText(value) : shownInput(value).replace(/^```\w+\n|\n```$/g, '');
  return {
    isLive: live,
    kind: kinds[kind].title,
    reads: kinds[kind].reads,
    model: options.model ?? model,
    backend: options.backend ?? 'gemini',
    ...(fixedOptions.model ? { fixedModel: fixedOptions.model } : {}),
    failing: text(failing),
    fixed: text(fixed),
  };
}

/** Returns whether each rule's page is live, and whether its finding can be repaired there. */
export function pageRows() {
  const { rules } = JSON.parse(readFileSync(catalogue, 'utf8'));
  return rules.map(({ code, fix }) => {
    const { isLive = false } = exampleOf(code);
    return { code, isLive, isRepaired: fix !== undefined };
  });
}

/** Returns the code of web/playground/rules/rules.ts. `googleTexts` returns Google's messages for a rule. */
export function rulePages(rules, googleTexts, note) {
  const rows = rules.map((row) => {
    const { code, scope, message, explanation, fix } = row;
    const text = { code, scope, message, why: explanation, google: googleTexts(row) };
    return { ...text, ...(fix ? { fix } : {}), example: exampleOf(code) };
  });
  const json = JSON.stringify(rows, null, 2);
  return `// ${note}\nimport type { Rule } from './rule.js';\n\nexport const rules: readonly Rule[] = ${json};\n`;
}
