// Validates manifests, template variables, and prompt arguments against the published JSON Schemas with an
// independent validator.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before, describe } from 'node:test';
import Ajv from 'ajv';
import { Conversation, GeminiClient, load } from 'prompt-strata';
import { MemoryCacheRegistry } from 'prompt-strata/stores';
import { createEmulator } from 'prompt-strata/testing';
import { loadTemplates } from 'prompt-strata/templates';
import { consumer } from '../support/consumer.mjs';

const now = '2026-11-21T10:00:00Z';
const model = 'gemini-3.8-flash';
// The schemas of the installed package.
const schemaOf = (name) =>
  JSON.parse(readFileSync(join(consumer, 'node_modules/prompt-strata/dist/schemas', name), 'utf8'));
const ajv = new Ajv({ allErrors: true });
const manifestSchema = schemaOf('manifest.json');
const variablesSchema = schemaOf('variables.json');
ajv.addSchema(manifestSchema).addSchema(variablesSchema);

const validate = ($ref) => ajv.compile({ $ref });
const isManifest = validate(manifestSchema.$id);

function accepts(check, value) {
  assert.ok(check(value), JSON.stringify(check.errors, null, 1));
}

let strata;
let templates;
before(async () => {
  strata = await load();
  templates = await loadTemplates();
});

const full = {
  profile: 'full',
  files: { 'SOUL.md': 'x'.repeat(30), 'USER.md': { error: 'locked' } },
  limits: { per_file: 10 },
  include_tool_recovery_policy: true,
  skills: { active: [{ slug: 'pdf', body: 'How to.', reason: 'explicit' }] },
  sections: [{ id: 'own', template: '{{ 1/0 }}', stability: 'dynamic' }],
};

describe('schemas/manifest.json', () => {
  test('accepts the manifest of a prompt with every kind of section', () => {
    const { manifest } = templates.compile(full);
    accepts(isManifest, manifest);
    assert.deepEqual(
      manifest.diagnostics.map(({ code }) => code),
      ['bootstrap.missing', 'bootstrap.unreadable', 'bootstrap.truncated', 'template.runtime'],
    );
    accepts(isManifest, templates.compile({ sections: [] }).manifest);
  });

  test('accepts the manifests of a valid request, a rejected one, and one with old history', () => {
    const thread = strata.thread({ model, sequencing: 'api' });
    const compiled = templates.compile(full);
    const ask = (more) => thread.assemble({ now, compiled, trigger: 'hi', ...more }).manifest;
    accepts(isManifest, ask({}));
    accepts(isManifest, ask({ trigger: '' }));
    for (const role of ['user', 'model', 'user', 'model']) {
      thread.append({ role, parts: [{ text: `a ${role}` }] });
    }
    accepts(isManifest, ask({ bufferTokens: 0, tools: [{ googleSearch: {} }] }));
  });

  test('accepts the manifests of a conversation with caching', async () => {
    const fetch = createEmulator({ now: () => now });
    const client = new GeminiClient({ fetch, retry: false });
    const text = 'Standing words. '.repeat(4000);
    const options = {
      model,
      caching: { registry: new MemoryCacheRegistry() },
      now: () => now,
      static: { text },
    };
    const chat = new Conversation(strata, client, options);
    const manifests = [];
    for (const message of ['one', 'two', 'three']) {
      for await (const { type, manifest } of chat.send(message)) {
        if (type === 'request') manifests.push(manifest);
      }
    }
    assert.equal(manifests.length, 3);
    for (const manifest of manifests) accepts(isManifest, manifest);
    assert.ok(manifests.some(({ cache }) => cache.plan));
  });

  test('reads, compares, and uses a manifest that was stored as a file', () => {
    const compiled = templates.compile(full);
    const stored = JSON.parse(JSON.stringify(compiled.manifest));
    accepts(isManifest, stored);
    assert.deepEqual(templates.diffManifests(stored, compiled.manifest).sections, []);
    const thread = strata.thread({ model });
    const first = thread.assemble({ now, compiled, trigger: 'one' });
    const previous = JSON.parse(JSON.stringify(first.manifest));
    const again = thread.assemble({ now, compiled, trigger: 'two', previous });
    assert.ok(again.manifest.stablePrefixBytes > compiled.stable.length);
  });

  test('rejects invalid manifests', () => {
    const { manifest } = templates.compile(full);
    const request = strata.thread({ model }).assemble({ now, trigger: 'hi' }).manifest;
    const broken = [
      { ...manifest, version: '2' },
      { ...manifest, sections: [{ ...manifest.sections[0], fingerprint: 'ABC' }] },
      { ...manifest, sources: undefined },
      { ...manifest, diagnostics: [{ code: 'x' }] },
      { ...request, layers: request.layers.slice(1) },
      { ...request, stablePrefixBytes: -1 },
      { ...request, cache: { ...request.cache, decision: 'maybe' } },
    ];
    for (const each of broken) assert.ok(!isManifest(JSON.parse(JSON.stringify(each))));
  });

  test('does not compare a manifest with one of a later version', () => {
    const { manifest } = templates.compile(full);
    const later = { ...manifest, version: '2' };
    assert.throws(() => templates.diffManifests(manifest, later), { code: 'manifest.version' });
  });

  test('describes every member of a manifest', () => {
    const request = strata.thread({ model }).assemble({ now, trigger: 'hi' }).manifest;
    const { promptManifest, requestManifest } = manifestSchema.definitions;
    for (const [{ properties }, value] of [
      [promptManifest, templates.compile(full).manifest],
      [requestManifest, request],
    ]) {
      assert.deepEqual(
        Object.keys(value).filter((key) => !(key in properties)),
        [],
      );
    }
  });
});

// Returns the parsed text that the default template of a layer renders from the variables.
function rendered(layer, variables) {
  const other = layer === 'static' ? 'dynamic' : 'static';
  const template = templates.defaultTemplate(layer);
  const input = { now, trigger: 'hi', [layer]: { template, variables }, [other]: { text: '' } };
  const { body } = strata.thread({ model }).assemble(input);
  const { systemInstruction, contents } = JSON.parse(new TextDecoder().decode(body));
  return JSON.parse((layer === 'static' ? systemInstruction : contents[0]).parts[0].text);
}

const examples = {
  static: {
    description: 'd',
    main_instruction: 'm',
    constraints: ['a', 'b'],
    memory: [{ scope: 'project', path: 'GEMINI.md', text: 'Use tabs.' }],
    session_goal: { background: 'b', purpose: 'p', description: 'd' },
    procedure: ['first', 'then'],
    roles: { definitions: [{ name: 'Reviewer', description: 'Reads.' }] },
    environment: { operating_system: 'Linux', working_directories: ['/w'] },
    multi_step_reasoning_active: true,
  },
  dynamic: {
    file_references: [{ path: 'a.ts', ttl: 3, disabled: false }],
    artifacts: [{ path: 'b.ts', contents: 'let b;' }],
    todos: [{ title: 'Say "hi"', description: '', checked: false }],
    environment: { folder_structure: 'a\nb' },
  },
};

describe('schemas/variables.json', () => {
  for (const [layer, variables] of Object.entries(examples)) {
    const check = () => validate(`${variablesSchema.$id}#/definitions/${layer}`);

    test(`${layer}: the template renders each variable that the schema names`, () => {
      accepts(check(), variables);
      const given = { cached_history: [], current_datetime: now, ...variables };
      const known = Object.keys(variablesSchema.definitions[layer].properties);
      assert.deepEqual(
        known.filter((name) => !(name in given)),
        [],
      );
      const output = rendered(layer, variables);
      for (const [name, value] of Object.entries(variables)) {
        const shown =
          name === 'multi_step_reasoning_active' ? output.reasoning_process : output[name];
        if (name === 'multi_step_reasoning_active') assert.ok(shown);
        else assert.deepEqual(shown, value, name);
      }
    });
  }

  test('rejects variables of the wrong shape', () => {
    const invalid = [
      ['static', { memory: [{ path: 'GEMINI.md' }] }],
      ['static', { roles: [] }],
      ['dynamic', { todos: [{ checked: true }] }],
      ['dynamic', { file_references: [{ path: 'a', ttl: 'soon' }] }],
    ];
    for (const [layer, variables] of invalid) {
      assert.ok(!validate(`${variablesSchema.$id}#/definitions/${layer}`)(variables));
    }
  });

  test('accepts prompt arguments with and without sources', () => {
    const check = validate(`${variablesSchema.$id}#/definitions/arguments`);
    const sources = {
      assistant: { id: 7, name: 'Ann', language: 'en', description: 'd' },
      conversation: { id: 1, created_date: '2026-11-21T09:00:00Z', updated_date: now },
      session: { mode: 'voice' },
      message: { text: 'hi', language: 'en' },
      args: { 'a.b': 1 },
    };
    accepts(check, templates.promptArguments({ now }).arguments);
    const { arguments: made } = templates.promptArguments({ now, ...sources });
    accepts(check, made);
    const { definitions } = variablesSchema;
    for (const name of ['system', 'assistant', 'conversation', 'message']) {
      assert.deepEqual(
        Object.keys(made[name]).sort(),
        Object.keys(definitions[name].properties).sort(),
      );
    }
  });
});
