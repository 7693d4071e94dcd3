// Measures lint of a whole request, compared with only parsing it.
import { conversation, encode, fields, model, next } from './conversation.mjs';
import { interleave } from './measure.mjs';
import { bytes, ms, times } from '../support/table.mjs';

const turns = 1000;
const mostTimes = 0.7;
const tools = 128;
const properties = 40;
const mostTimesForTools = 3;

/** A body of declarations with every property of one of the common kinds. */
function declarations() {
  const kinds = [
    { type: 'STRING', description: 'The name of a city, with its country' },
    { type: 'STRING', enum: ['celsius', 'fahrenheit', 'kelvin'] },
    { type: 'INTEGER', minimum: 0, maximum: 100 },
    { type: 'ARRAY', items: { type: 'STRING' } },
  ];
  const names = Array.from({ length: properties }, (_, i) => `property_${i}`);
  const parameters = {
    type: 'OBJECT',
    properties: Object.fromEntries(names.map((name, i) => [name, kinds[i % kinds.length]])),
    required: names.filter((_, i) => i % 2 === 0),
  };
  const functionDeclarations = Array.from({ length: tools }, (_, i) => ({
    name: `function_${i}`,
    description: 'Does something for the user.',
    parameters,
  }));
  return [{ functionDeclarations }];
}

function measure(checker, body) {
  const { ok, diagnostics } = checker.lint(body, { model });
  if (!ok) throw new Error(`lint rejects the measured body: ${JSON.stringify(diagnostics[0])}`);
  return interleave(
    {
      linted: () => checker.lint(body, { model }),
      parsed: () => JSON.parse(new TextDecoder().decode(body)),
    },
    { rounds: 100 },
  );
}

function row(name, body, { linted, parsed }) {
  return [name, bytes(body.length), ms(linted), ms(parsed), times(linted / parsed)];
}

function verdict(what, { linted, parsed }, most) {
  const ratio = linted / parsed;
  return {
    ok: ratio <= most,
    text: `${what}: ${times(ratio)} the time of decoding and parsing, at most ${most}`,
  };
}

/** @param {object} pkg the package */
export async function run(pkg) {
  const checker = await pkg.check.loadChecker();
  const body = encode({ ...fields, contents: [...conversation(turns), next(turns)] });
  const schemas = encode({ contents: [next(0)], tools: declarations() });
  const ofTurns = measure(checker, body);
  const ofTools = measure(checker, schemas);
  const what = [
    `${turns.toLocaleString('en-US')} turns`,
    `${tools} functions of ${properties} properties`,
  ];
  return {
    title: 'Linting a request',
    about:
      'Lints a whole body: grammar, UTF-8, duplicate keys and every rule, including the copy of ' +
      'its bytes into WebAssembly. This is compared with `TextDecoder` and `JSON.parse` only.',
    head: ['body', 'size', 'lint', 'decode + JSON.parse', 'ratio'],
    rows: [row(what[0], body, ofTurns), row(what[1], schemas, ofTools)],
    verdicts: [verdict(what[0], ofTurns, mostTimes), verdict(what[1], ofTools, mostTimesForTools)],
  };
}
