// The parts of the playground's Prompt view: words of the language, problems of templates, variables, the reasons why
// requests differ, and what a cache saves.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { load } from 'prompt-strata';
import { loadTemplates } from 'prompt-strata/templates';
import { root } from '../../scripts/setup/run.mjs';
import { importParts } from './lint-parts.mjs';

const { filters, functions, referencesIn, tags, templateReport, tests } = await importParts(
  'playground/engine/template-names',
  'playground/engine/template-report',
);
const { comparePlacements, requestChange, RequestSeries } = await importParts(
  'playground/engine/prompt-analysis',
  'playground/engine/request-series',
);
const { examplePrompt, withVariable } = await importParts(
  'playground/prompt/example-prompt',
  'playground/prompt/prompt-model',
);

const strata = await load();
const templates = await loadTemplates();
const engines = { strata, templates };
const now = '2026-11-22T10:00:00Z';

describe('the words that the editor completes', () => {
  const compiles = (source) => templates.template(source)[Symbol.dispose]?.();

  test('filters are those of the core', () => {
    const folder = join(root, 'src/jinja/filters');
    const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    const rows = sources.join('\n').matchAll(/^\s+\{"([a-z_]+)[ "]/gm);
    const names = [...new Set([...rows].map(([, name]) => name))].sort();
    assert.deepEqual(filters, names);
    for (const name of filters) compiles(`{{ x | ${name} }}`);
  });

  test('tests and functions exist', () => {
    for (const name of tests) compiles(`{{ x is ${name} }}`);
    for (const name of functions)
      assert.ok(!templates.template(`{{ ${name} }}`).variables.includes(name), name);
  });

  test('tags are known to the core', () => {
    for (const name of tags) {
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

describe('references in a template', () => {
  const found = (source) =>
    referencesIn(source).map(({ kind, path, from, to }) => {
      assert.equal(source.slice(from, to).replaceAll(' ', ''), path.join('.'));
      return kind === 'name' ? path.join('.') : `${kind} ${path[0]}`;
    });

  test('are found in code only, with their places', () => {
    assert.deepEqual(found('user {{ user }} {# other #}{% raw %}{{ raw }}{% endraw %}'), ['user']);
    assert.deepEqual(found('{{ "}} text" }}{{ behind }}'), ['behind']);
    assert.deepEqual(found('é🐢 {{ name'), ['name']);
  });

  test('are names with members, filters and tests, but no keyword arguments', () => {
    const source = '{{ a.b . c | join(sep=d) is not defined }}';
    assert.deepEqual(found(source), ['a.b.c', 'filter join', 'd', 'test defined']);
    assert.deepEqual(found('{{ a == b[0].c }}'), ['a', 'b']);
  });
});

describe('problems of a template', () => {
  const variables = { museum: { name: 'M' }, rooms: [{ name: 'A' }, { floor: 1 }], x: 1 };
  const problems = (source, id = 'static') =>
    templateReport(templates, { id, source, variables, now }).problems.map(
      ({ severity, message, missing }) => [severity, message, missing].filter(Boolean).join(' '),
    );

  test('are hints in code that does not run, too', () => {
    const [member, filter, ...others] = problems(
      '{% if false %}{{ museum.nmae | uper }}{% endif %}',
    );
    assert.match(member, /^warning 'museum' has no member 'nmae', .* Did you mean 'name'\?$/);
    assert.equal(filter, "warning There is no filter 'uper'. Did you mean 'upper'?");
    assert.deepEqual(others, []);
    const source = '{% for room in rooms %}{{ room.name }}{{ room.size }}{% endfor %}';
    assert.match(problems(source)[0], /'room' has no member 'size'/);
  });

  test('are an error once, at its place', () => {
    assert.deepEqual(problems('{{ x | uper }}'), ["error No filter named 'uper'."]);
    assert.match(problems('{% if x %}')[0], /^error /);
  });

  test('name variables that are missing, and where the time is known', () => {
    assert.match(problems('{{ visitor }}')[0], /^warning 'visitor' is not defined.* visitor$/);
    assert.match(problems('{{ current_datetime }}')[0], /Only the dynamic template/);
    assert.deepEqual(problems('{{ current_datetime }}', 'dynamic'), []);
  });

  test('are not what is meant to be absent, called, or local', () => {
    const fine = [
      '{% if museum.closed is defined %}x{% endif %}',
      '{{ museum.closed | default("no") }}{{ absent | d("") }}',
      '{{ museum.items() | list }}{{ museum.name.upper() }}',
      '{% set museum = x %}{{ museum.other }}{% for k, v in museum.items() %}{{ k.x }}{% endfor %}',
      '{% for x in x %}{{ loop.index }}{{ x.y }}{% endfor %}',
      '{% macro show(museum) %}{{ museum.anything }}{% endmacro %}{{ show(x) }}',
    ];
    for (const source of fine)
      assert.deepEqual(
        problems(source).filter((text) => text.startsWith('warning')),
        [],
        source,
      );
  });
});

describe('a variable that is added to a JSON text', () => {
  test('leaves the spelling of all others, and says where its value is', () => {
    const json = '{\n  "big": 12345678901234567890,\n  "price": 9.50\n}';
    const { text, at } = withVariable(json, 'new');
    assert.equal(text, json.replace('9.50', '9.50,\n  "new": ""'));
    assert.equal(text.slice(at - 1, at + 1), '""');
    for (const empty of ['', '{}', '{ }']) {
      const added = withVariable(empty, 'a');
      assert.deepEqual(JSON.parse(added.text), { a: '' });
      assert.equal(added.text.slice(added.at - 1, added.at + 1), '""');
    }
    assert.equal(withVariable('{"a":1}', 'b').text, '{"a":1, "b": ""}');
  });
});

const settings = {
  model: 'gemini-3.8-flash',
  backend: 'gemini',
  generationConfig: '',
  tools: '',
  caching: false,
};

describe('the reason why requests differ', () => {
  const prompt = {
    static: 'You work for a shop.',
    dynamic: '{"now": {{ current_datetime | tojson }}}',
    variables: '{}',
    placement: 'after-static',
  };
  const reason = (change) => {
    const series = new RequestSeries(engines, {
      prompt: { ...prompt, ...change },
      settings,
      history: '',
      now,
    });
    const [before, after] = [series.request(9), series.request(10)];
    return requestChange(series, { turn: 10, before, after })?.reason;
  };

  test('is the variable that alone explains the first byte, or the dynamic layer that moves', () => {
    assert.match(reason({}), /^`current_datetime` changed, .* dynamic layer/);
    assert.match(reason({ static: '{{ message }}' }), /changed, which the static/);
    const last = { placement: 'before-current-turn' };
    assert.match(reason(last), /^In the request before, the dynamic layer/);
  });
});

describe('what a cache saves with the example', () => {
  test('is three quarters and more against no cache, most before the newest message', async () => {
    const question = { prompt: examplePrompt, settings, history: '', now };
    const { costs } = await comparePlacements(engines, question, async () => true);
    const shares = costs.map(({ inputCost, uncachedCost }) => 1 - inputCost / uncachedCost);
    const [front, behind] = shares;
    assert.ok(behind > front && front > 0.75, shares.join(', '));
    assert.ok(costs[1].promptTokens / costs[1].requests > 10_000);
  });

  test('is judged without a problem of its templates', () => {
    const variables = JSON.parse(examplePrompt.variables);
    for (const id of ['static', 'dynamic']) {
      const source = examplePrompt[id];
      assert.deepEqual(templateReport(templates, { id, source, variables, now }).problems, []);
    }
  });
});
