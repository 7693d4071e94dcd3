// Makes the pages of the rules, and the tables about rules and errors, from src/catalogue/.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  examples,
  kinds,
  model as exampleModel,
  shownInput,
  withoutExample,
} from '../../src/catalogue/examples.mjs';
import { probedLines } from '../../src/catalogue/probed.mjs';
import {
  BACKENDS,
  GENERATIONS,
  errorKinds,
  errors,
  googleTexts,
  rules,
  wordOf,
} from '../../src/catalogue/rules.mjs';

const { rows: threads } = JSON.parse(
  readFileSync(new URL('../../tests/cases/issue_threads.json', import.meta.url), 'utf8'),
);

// One word, or one by backend and generation.
function wordsText(value) {
  const cells = BACKENDS.map((backend) => {
    const words = GENERATIONS.map((generation) => wordOf(value, backend, generation));
    return words.every((word) => word === words[0])
      ? words[0]
      : GENERATIONS.map((generation, i) => `${generation}: ${words[i]}`).join(', ');
  });
  return cells[0] === cells[1] ? cells[0] : `Gemini API ${cells[0]}; Vertex AI ${cells[1]}`;
}

// Threads that the data names without their owner.
const REPOSITORIES = {
  agentgateway: 'agentgateway/agentgateway',
  AstrBot: 'AstrBotDevs/AstrBot',
  crewAI: 'crewAIInc/crewAI',
  openclaw: 'openclaw/openclaw',
  TauriTavern: 'Darkatse/TauriTavern',
  'vellum-assistant': 'vellum-ai/vellum-assistant',
};

// Turns each "owner/name#1" of a text into a link to the thread. GitHub redirects the numbers of pull requests.
function linkThreads(text) {
  return text.replace(
    /([\w-]+(?:\/[\w.-]+)?)#(\d+)/g,
    (thread, name, number) =>
      `[${thread}](https://github.com/${REPOSITORIES[name] ?? name}/issues/${number})`,
  );
}

// Documents are links; recorded exchanges have an id.
const sourceText = ({ text, url, id }) => (url ? `[${text}](${url})` : `${text} \`${id}\``);

const exampleOf = (code) => examples.find((example) => example.code === code);

function exampleTitle({ kind, options = {} }) {
  const { model = exampleModel, ...others } = options;
  const more = Object.entries(others).map(([name, value]) =>
    typeof value === 'string' ? value : `${name}: ${JSON.stringify(value)}`,
  );
  return `${kinds[kind].title} (${[model, ...more].join(', ')})`;
}

// The example of a rule, or why it has none. The tests name rules without either.
function exampleText({ code, fix }) {
  const example = exampleOf(code);
  if (!example) return `No example. ${withoutExample[code] ?? ''}`.trim();
  const isRepaired =
    fix && (example.kind === 'body' || example.kind === 'interaction') && example.repair !== false;
  const fixed = isRepaired ? 'Fixed, as `repair` does it' : 'Fixed';
  const { fixedOptions, ...own } = example;
  const where = fixedOptions ? ` (${Object.values(fixedOptions).join(', ')})` : '';
  return [
    `${exampleTitle(own)} that yields it:`,
    shownInput(own.failing),
    `${fixed}${where}:`,
    shownInput(own.fixed),
  ].join('\n\n');
}

const oneLine = (text) => text.trim().replaceAll('\n', ' ');

// Search engines cut longer titles.
const longestTitle = 110;

/** Returns the title of a rule's page: what people search for, which is what Google answers. */
function titleOfRule({ code, message, ...row }) {
  const [words = message] = googleTexts({ code, message, ...row });
  const title = oneLine(words);
  const short = title.length > longestTitle ? `${title.slice(0, longestTitle)}…` : title;
  return `${short} (${code})`;
}

function rulePage(row) {
  const lines = [
    '---',
    `title: ${JSON.stringify(titleOfRule(row))}`,
    `description: ${JSON.stringify(row.explanation)}`,
    '---',
    '',
    `# \`${row.code}\``,
    '',
    row.message,
    '',
    ...googleTexts(row).flatMap((text) => [
      "Google's answer:",
      '',
      `> \`\`${oneLine(text)}\`\``,
      '',
    ]),
    row.explanation,
    '',
    `- Severity: ${wordsText(row.severity)}${row.strict ? '; error in a strict thread' : ''}`,
    `- Scope: ${row.scope}`,
    ...(row.fix ? [`- Repair: ${row.fix}`] : []),
    ...(row.retried ? ['- Retried: a Conversation asks for another answer'] : []),
    `- Evidence: ${wordsText(row.evidence)}`,
    `- Sources: ${row.sources.map(sourceText).join('; ')}`,
    ...probedLines(row.code),
    `- Playground: \`#rule/${row.code}\``,
    '',
    '## Example',
    '',
    exampleText(row),
    '',
  ];
  return lines.filter((line, i) => line !== '' || lines[i - 1] !== '').join('\n');
}

/** Writes a page for each rule into the folder of the pages, below rules/. */
export function writeRulePages(pagesFolder) {
  mkdirSync(join(pagesFolder, 'rules'), { recursive: true });
  for (const row of rules) writeFileSync(join(pagesFolder, `rules/${row.code}.md`), rulePage(row));
}

/** Returns the rules for the sidebar: groups by what their codes begin with. */
export function ruleGroups() {
  const prefixOf = ({ code }) => code.split('.')[0];
  return [...new Set(rules.map(prefixOf))].map((text) => ({
    text,
    items: rules
      .filter((row) => prefixOf(row) === text)
      .map(({ code }) => ({ text: code, link: `/rules/${code}.html` })),
  }));
}

// The code is an anchor, so that links to diagnostics.html#code find their rule.
const ruleLine = ({ code, severity, message }) =>
  `| <a id="${code}"></a>[\`${code}\`](/rules/${code}.html) | ${wordsText(severity)} | ${message.replaceAll('|', '\\|')} |`;

function errorText({ code, thrown, again = false, meaning, do: advice }) {
  return `| \`${code}\` | ${thrown} | ${meaning} | ${advice} | ${again ? 'yes' : ''} |`;
}

const shownIn = {
  body: 'the request',
  cache: 'the create body of a cache, or a request that uses it',
  provenance: 'the origin of a signature',
  answer: 'the handling of an answer',
};

function threadText({ row, threads, fault, shows, bodies = [] }) {
  const lines = bodies.flatMap(({ found }) => found.map((line) => `\`${line.split(' ')[1]}\``));
  return `| ${row} | ${threads.map(linkThreads).join(', ')} | ${fault} | ${shownIn[shows]} | ${[...new Set(lines)].join(' ')} |`;
}

const table = (head, rows) => [head, head.replace(/[^|]+/g, ' --- '), ...rows].join('\n');

/** What the page of diagnostics shows in the places that it names. */
export const ruleTables = {
  rules: () => table('| rule | severity | message |', rules.map(ruleLine)),
  errors: () => table('| code | class | meaning | what to do | retried |', errors.map(errorText)),
  kinds: () =>
    table(
      '| kind | when | what to do |',
      errorKinds.map((row) => `| \`${row.kind}\` | ${row.when}. | ${row.do} |`),
    ),
  threads: () => table('| no. | thread | fault | visible in | codes |', threads.map(threadText)),
};
