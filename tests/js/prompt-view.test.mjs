// The parts of the playground's Prompt view: words of the language, names in templates, members of JSON texts, and
// why two requests differ.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { load } from 'prompt-strata';
import { loadTemplates } from 'prompt-strata/templates';
import { root } from '../../scripts/setup/run.mjs';
import { importParts } from './lint-parts.mjs';

const words = await importParts('playground/prompt/jinja-words');
const { membersOf, namesIn, requestChange, RequestSeries, withMember, withoutMember } =
  await importParts(
    'playground/prompt/json-members',
    'playground/engine/template-names',
    'playground/engine/request-change',
    'playground/engine/request-series',
  );

const strata = await load();
const templates = await loadTemplates();
const engines = { strata, templates };

describe('the words that the editor completes', () => {
  const compiles = (source) => templates.template(source)[Symbol.dispose]?.();

  test('filters are those of the core', () => {
    const folder = join(root, 'src/jinja/filters');
    const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    const rows = sources.join('\n').matchAll(/^\s+\{"([a-z_]+)[ "]/gm);
    const names = [...new Set([...rows].map(([, name]) => name))].sort();
    assert.deepEqual(words.filters, names);
    for (const name of words.filters) compiles(`{{ x | ${name} }}`);
  });

  test('tests and functions exist', () => {
    for (const name of words.tests) compiles(`{{ x is ${name} }}`);
    for (const name of words.functions)
      assert.ok(!templates.template(`{{ ${name} }}`).variables.includes(name), name);
  });

  test('tags are known to the core', () => {
    for (const name of words.tags) {
      try {
        compiles(`{% ${name} %}`);
      } catch (error) {
        // An end without its start is "unexpected", but never unknown by name.
        const isEnd = /^(end|el)/.test(name);
        if (!isEnd) assert.doesNotMatch(error.message, /unknown tag/, name);
      }
    }
  });
});

describe('names in a template', () => {
  const found = (source) =>
    namesIn(source).map(({ name, from, to }) => {
      assert.equal(source.slice(from, to), name);
      return name;
    });

  test('are found in code only, with their places', () => {
    assert.deepEqual(found('user {{ user }} {# other #}{% raw %}{{ raw }}{% endraw %}'), ['user']);
    assert.deepEqual(found('{{ "}} text" }}{{ behind }}'), ['behind']);
    assert.deepEqual(found('é🐢 {{ name'), ['name']);
  });

  test('are no members, filters, tests or keyword arguments', () => {
    assert.deepEqual(found('{{ a.b.c | join(sep=d) is defined }}'), ['a', 'd']);
    assert.deepEqual(found('{{ a == b }}'), ['a', 'b']);
  });
});

describe('members of a JSON text', () => {
  const json = '{\n  "big": 12345678901234567890,\n  "price": 9.50,\n  "text": "\\u00e9"\n}';

  test('keep the spelling of all other values', () => {
    const texts = membersOf(json).map(({ text }) => text);
    assert.deepEqual(texts, ['12345678901234567890', '9.50', '"\\u00e9"']);
    assert.equal(withMember(json, 'price', '10'), json.replace('9.50', '10'));
    const added = withMember(json, 'new', '"x"');
    assert.equal(added, json.replace('"\\u00e9"', '"\\u00e9",\n  "new": "x"'));
    assert.equal(withoutMember(added, 'new'), json);
    assert.equal(withoutMember(json, 'big'), json.replace('"big": 12345678901234567890,\n  ', ''));
  });

  test('are added to an empty object or text, and removed from the end', () => {
    assert.deepEqual(JSON.parse(withMember('', 'a', '1')), { a: 1 });
    assert.deepEqual(JSON.parse(withMember('{}', 'a', '1')), { a: 1 });
    assert.equal(withMember('{"a":1}', 'b', '2'), '{"a":1, "b": 2}');
    assert.equal(withoutMember('{"a":1}', 'a'), '{}');
  });
});

describe('the reason why requests differ', () => {
  const prompt = {
    static: 'You work for {{ shop }}.',
    dynamic: '{"now": {{ current_datetime | tojson }}, "open": {{ open | tojson }}}',
    sections: [{ name: 'rules', template: 'Be brief, {{ tone }}.' }],
    variables: '{"shop": "A", "open": true, "tone": "kind"}',
    placement: 'after-static',
  };
  const settings = {
    model: 'gemini-3.8-flash',
    backend: 'gemini',
    generationConfig: '',
    tools: [],
    caching: false,
  };
  const now = '2026-11-22T10:00:00Z';
  const made = (change = {}, turn = 10) => {
    const choice = {
      prompt: { ...prompt, ...change.prompt },
      settings: { ...settings, ...change.settings },
      history: '',
      turn,
    };
    const series = new RequestSeries(engines, choice, now);
    return { choice, series, assembled: series.request(turn) };
  };
  const reason = (before, after) => requestChange(engines, before, after, 'another')?.reason;

  test('is the variable that alone explains the first byte', () => {
    assert.match(reason(made({}, 9), made()), /^`current_datetime` changed, .* dynamic layer/);
    const variables = prompt.variables.replace('true', 'false');
    assert.match(reason(made(), made({ prompt: { variables } })), /^`open` changed/);
    const shop = prompt.variables.replace('"A"', '"B"');
    assert.match(
      reason(made(), made({ prompt: { variables: shop } })),
      /^`shop` changed, .* static/,
    );
    const tone = prompt.variables.replace('kind', 'cool');
    assert.match(reason(made(), made({ prompt: { variables: tone } })), /^`tone` changed/);
  });

  test('is the template, the section, a field, the placement or the model', () => {
    const changed = (change) => reason(made(), made(change));
    assert.equal(
      changed({ prompt: { static: 'You are {{ shop }}.' } }),
      'The static template changed.',
    );
    const sections = [{ name: 'rules', template: 'Be long.' }];
    assert.equal(changed({ prompt: { sections } }), 'A section changed.');
    const tool = { name: 'look', description: '', parameters: '', answer: 'hand', script: '' };
    assert.equal(changed({ settings: { tools: [tool] } }), '`tools` changed.');
    assert.match(changed({ settings: { model: 'gemini-4-argon' } }), /^The model changed/);
    const last = { prompt: { placement: 'before-current-turn' } };
    assert.match(reason(made(last, 9), made(last)), /^In the request before, the dynamic layer/);
    assert.equal(reason(made(), made()), undefined);
  });
});
