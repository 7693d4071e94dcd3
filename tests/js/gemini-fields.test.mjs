// Compares the types of Gemini's shapes with the fields that the core knows, so that neither gains a field alone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import ts from 'typescript';
import { root } from '../../scripts/setup/run.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const fields = read('src/gemini/known_fields.cpp');
const parts = read('src/gemini/content_view.cpp');
const keywords = read('src/schemas/keywords.cpp');

const index = join(root, 'web', 'sdk', 'types', 'gemini.ts');
const program = ts.createProgram([index], {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  types: [],
});
const checker = program.getTypeChecker();
const exported = checker.getExportsOfModule(
  checker.getSymbolAtLocation(program.getSourceFile(index)),
);

/** Returns the members of an interface: names, and whether their comment says `Vertex AI only`. */
function membersOf(type) {
  const symbol = exported.find(({ name }) => name === type);
  assert.ok(symbol, type);
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(target));
  return properties.map((property) => {
    const comment = ts.displayPartsToString(property.getDocumentationComment(checker));
    const name = property.getName();
    if (comment.includes('Vertex AI only')) return `${name} on Vertex AI`;
    return comment.includes('Gemini API only') ? `${name} on the Gemini API` : name;
  });
}

const services = { kVertex: ' on Vertex AI', kGemini: ' on the Gemini API' };

/** Returns the rows of one table of known_fields.cpp. */
function tableOf(name) {
  const [, rows] = new RegExp(`constexpr Field ${name}\\[\\] = \\{([\\s\\S]*?)\\n?\\};`).exec(
    fields,
  );
  const found = [...rows.matchAll(/\{"(\w+)"(?:, Service::(\w+))?/g)];
  assert.equal(found.length, rows.match(/"/g).length / 2, name);
  // `_responseJsonSchema` is another spelling.
  return found
    .filter(([, field]) => !field.startsWith('_'))
    .map(([, field, service]) => field + (services[service] ?? ''));
}

const types = {
  kRequest: 'GenerateContentRequest',
  kCachedContent: 'CachedContent',
  kGenerationConfig: 'GenerationConfig',
  kThinkingConfig: 'ThinkingConfig',
  kToolConfig: 'ToolConfig',
  kFunctionCallingConfig: 'FunctionCallingConfig',
  kRetrievalConfig: 'RetrievalConfig',
  kTool: 'ApiTool',
  kDeclaration: 'FunctionDeclaration',
  kSafetySetting: 'SafetySetting',
};

test('every table of known_fields.cpp has a type', () => {
  const tables = [...fields.matchAll(/constexpr Field (\w+)\[\]/g)].map(([, name]) => name);
  assert.deepEqual(tables, Object.keys(types));
});

for (const [table, type] of Object.entries(types)) {
  test(`${type} has the fields of ${table}`, () => {
    assert.deepEqual(membersOf(type).sort(), tableOf(table).sort());
  });
}

test('Part has the fields of content_view.cpp', () => {
  const [, data] = /kDataFields = \{\{([\s\S]*?)\}\};/.exec(parts);
  const [, others] = /kOtherFields = \{([\s\S]*?)\};/.exec(parts);
  const known = [...`${data} ${others}`.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  const names = membersOf('Part').map((member) => member.split(' ')[0]);
  assert.ok(known.length > 10);
  assert.deepEqual(names.sort(), known.sort());
});

test('Schema has the keywords of the API’s own dialect', () => {
  const rows = [...keywords.matchAll(/\{"([$\w]+)", ([\w |]+)/g)];
  const known = rows.flatMap(([, name, dialects]) => {
    if (/kEverywhere|kGoogle/.test(dialects)) return [name];
    return dialects.includes('kVertexAi') ? [`${name} on Vertex AI`] : [];
  });
  assert.ok(known.length > 20);
  assert.deepEqual(membersOf('Schema').sort(), known.sort());
});
