// lint says where its findings are written in the text that it got, in bytes or in UTF-16 units; repair does if asked.
import { deepEqual, equal, ok } from './assert.mjs';

const model = 'gemini-3.8-flash';
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
const bodyOf = (...parts) => `{"contents":[{"role":"user","parts":[${parts.join()}]}]}`;
// A pair of surrogates, right-to-left letters, and a character of two code points.
const wide = '{"text":"🐢 שלום e\u0301"}';

/** Checks where the only finding is: [begin, end), as text, and its line and column in both units. */
function checkOnly(checker, text, expected) {
  for (const body of [text, encode(text)]) {
    const units = checker.lint(body, { model, positions: 'utf16' }).diagnostics;
    const bytes = checker.lint(body, { model }).diagnostics;
    deepEqual(checker.lint(body, { model, positions: 'bytes' }).diagnostics, bytes);
    equal(units.length, 1);
    const [{ range, line, column }] = units;
    equal(text.slice(...range), expected);
    equal(decode(encode(text).subarray(...bytes[0].range)), expected);
    const lines = text.slice(0, range[0]).split('\n');
    deepEqual([line, column], [lines.length, lines.at(-1).length + 1]);
    deepEqual([bytes[0].line, bytes[0].column], [line, encode(lines.at(-1)).length + 1]);
  }
}

/** Texts with one finding, and where it is. */
const texts = {
  'an element of an array': [bodyOf(wide, '{}'), '{}'],
  'a value with spaces around it': [` ${bodyOf(wide, ' { } ')} `, '{ }'],
  'a member with an escaped name': [`{"é~/\\u0041":[1],${bodyOf(wide).slice(1)}`, '[1]'],
  'a member that is absent': ['\n{"tools": []}', '{"tools": []}'],
  'lines that end with CRLF': [bodyOf(wide, '\r\n  {}', `\r\n${wide}`), '{}'],
  'a comma that only Google takes': [`${bodyOf(wide).slice(0, -4)},]}]}`, ','],
  'an error of the text': [`${bodyOf(wide).slice(0, -1)}]`, ''],
  'a text that ends early': [`{"contents":[${wide}`, ''],
};

export default [
  ...Object.entries(texts).map(([what, [text, expected]]) => ({
    name: `finds ${what}`,
    async run(pkg) {
      checkOnly(await pkg.check.loadChecker(), text, expected);
    },
  })),
  {
    name: 'gives no places for a body that is a value',
    async run(pkg) {
      const checker = await pkg.check.loadChecker();
      const { diagnostics } = checker.lint(JSON.parse(bodyOf('{}')), { model });
      deepEqual(Object.keys(diagnostics[0]).includes('range'), false);
      let deep = {};
      for (let level = 0; level < 300; level++) deep = { deep };
      const [found] = checker.lint(deep, { model }).diagnostics;
      deepEqual([found.code, found.range, found.line], ['json.too_deep', undefined, undefined]);
    },
  },
  {
    name: 'locates repairs in the original body, and what remains in the repaired one',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const open = '{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}';
      const answer = '{"role":"user","parts":[{"functionResponse":{"name":"f","response":[1]}}]}';
      const text = `{"contents":[{"role":"user","parts":[${wide},{}]},${open},${answer}],}`;
      const { body, diagnostics } = checker.repair(text, { model, positions: 'utf16' });
      const written = diagnostics.map(({ code, repaired, range }) => [
        code,
        (repaired ? text : decode(body)).slice(...range),
      ]);
      deepEqual(written, [
        ['json.lenient', ','],
        ['response.not_object', '[1]'],
        ['part.no_data', '{}'],
        ['signature.missing', open.slice(open.indexOf('[') + 1, -2)],
      ]);
      const plain = checker.repair(text, { model }).diagnostics;
      ok(plain.every(({ code, range }) => (code === 'json.lenient') === (range !== undefined)));
    },
  },
];
