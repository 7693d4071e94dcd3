// Checks the declarations of the packed package: every type that a public signature names is exported from the same
// entry point, and what throws says so.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import ts from 'typescript';
import { consumer } from '../support/consumer.mjs';

const dist = join(consumer, 'node_modules', 'prompt-strata', 'dist');
const files = {
  index: 'index.d.ts',
  templates: 'templates/index.d.ts',
  check: 'check/index.d.ts',
  gateway: 'gateway/index.d.ts',
  node: 'server/index.d.ts',
  mcp: 'agent/mcp/index.d.ts',
  remote: 'remote/index.d.ts',
  stores: 'stores/index.d.ts',
  testing: 'emulator/index.d.ts',
  'ai-sdk': 'adapters/ai-sdk/index.d.ts',
  'ai-sdk/ui': 'adapters/ai-sdk/ui.d.ts',
  react: 'adapters/react/index.d.ts',
  reader: 'adapters/react/reader.d.ts',
  citations: 'citations/index.d.ts',
  telemetry: 'telemetry/index.d.ts',
  worker: 'worker/package.d.ts',
};
const entries = Object.keys(files);
// Entries that are used with what others return: `createEmulator` takes a Checker.
const usedBeside = {
  node: ['index'],
  mcp: ['index'],
  remote: ['index'],
  stores: ['index'],
  testing: ['index', 'check'],
  'ai-sdk': ['index'],
  'ai-sdk/ui': ['index', 'remote'],
  react: ['index'],
  reader: ['index'],
  telemetry: ['index'],
  worker: ['index'],
};
const fileOf = (entry) => join(dist, files[entry]);

const program = ts.createProgram(entries.map(fileOf), {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'],
  types: [],
});
const checker = program.getTypeChecker();

const resolved = (symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

const isOurs = (declaration) => declaration.getSourceFile().fileName.startsWith(dist);

/** Returns the exported names of an entry point, with their symbols. */
function exportsOf(entry) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(fileOf(entry)));
  return checker.getExportsOfModule(module).map((symbol) => [symbol.name, resolved(symbol)]);
}

// `declare global` of platform.ts, which merges with the runtime's own types.
const isGlobal = (declaration) =>
  ts.findAncestor(declaration, (node) => Boolean(node.flags & ts.NodeFlags.GlobalAugmentation));

// `Omit<Base, …>` names a type only to list members of it.
const isMapped = ({ parent, typeName }) => {
  const outer = ts.isTypeReferenceNode(parent) || ts.isExpressionWithTypeArguments(parent);
  const { text } = (outer && (parent.typeName ?? parent.expression)) || {};
  return typeName !== undefined && (text === 'Omit' || text === 'Pick');
};

const isPrivate = (node) =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);

/** Returns the type names in a declaration. */
function typeNamesIn(node, found = []) {
  if (isPrivate(node)) return found;
  if (ts.isTypeReferenceNode(node) && !isMapped(node)) found.push(node.typeName);
  if (ts.isExpressionWithTypeArguments(node) || ts.isTypeQueryNode(node))
    found.push(node.expression ?? node.exprName);
  ts.forEachChild(node, (child) => void typeNamesIn(child, found));
  return found;
}

/** Returns the names that a symbol's declarations name and that `known` lacks. */
function unexported(symbol, known) {
  const names = (symbol.declarations ?? []).filter(isOurs).flatMap((each) => typeNamesIn(each));
  return names.flatMap((name) => {
    const target = checker.getSymbolAtLocation(name);
    const named = target && resolved(target);
    const declared = named?.declarations ?? [];
    if (!declared.some(isOurs) || declared.some(isGlobal) || known.has(named)) return [];
    if (computing.includes(named.name)) return [];
    return named.flags & ts.SymbolFlags.TypeParameter ? [] : [named.name];
  });
}

// They compute `InferOutput`, which is what a caller names.
const computing = ['FromJsonSchema'];

for (const entry of entries) {
  test(`${entry}: every type in a public signature is exported`, () => {
    const exported = exportsOf(entry);
    assert.ok(exported.length > 0);
    const beside = (usedBeside[entry] ?? []).flatMap(exportsOf);
    const known = new Set([...exported, ...beside].map(([, symbol]) => symbol));
    const missing = exported.flatMap(([name, symbol]) =>
      unexported(symbol, known).map((type) => `${name} names ${type}`),
    );
    assert.deepEqual([...new Set(missing)], []);
  });
}

// Interfaces that callers implement; the package only calls them.
const implementedByCallers = [
  'BlobLike',
  'CacheRegistry',
  'ConversationPlugin',
  'ConversationStore',
  'DurableStorage',
  'KvNamespace',
  'MemoryNamespace',
  'MemoryObjectStorage',
  'MemoryObjectTransaction',
  'NodeIncoming',
  'NodeOutgoing',
  'ObjectStorage',
  'ObjectTransaction',
  'RateLimiter',
  'SendObserver',
  'UploadBlob',
  'UploadStream',
];
// What never throws, whatever it is given.
const neverThrows = [
  'Conversation.[dispose]',
  'DurableCacheRegistry.constructor',
  'DurableObjectStore.constructor',
  'FileStore.placeOf',
  'GeminiClient.redact',
  'GeminiError.constructor',
  'KvCacheRegistry.constructor',
  'McpServer.close',
  'MediaResult.constructor',
  'ObjectError.constructor',
  'PausedCall.constructor',
  'PluginNotes.get',
  'PluginNotes.set',
  'RemoteError.constructor',
  'RequestFields.refuse',
  'RunningServer.close',
  'StrataError.constructor',
  'TemplateError.constructor',
  'WorkerThreads.fetch',
  'createEmulator',
  'folderRecordings',
  'memoryFiles',
  'readFiles',
  'readMemory',
  'useChat',
];

const callable = (node) =>
  ts.isMethodSignature(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isConstructorDeclaration(node) ||
  ts.isFunctionDeclaration(node);

/** Returns the functions and methods of a declaration, with their names. */
function callablesOf(name, node) {
  if (ts.isFunctionDeclaration(node)) return [[name, node]];
  const members = node.members ?? [];
  return members
    .filter((member) => callable(member) && !isPrivate(member))
    .map((member) => [`${name}.${member.name?.getText() ?? 'constructor'}`, member]);
}

/** Returns the names of the tags that an editor shows; a method has those of the interface that it implements. */
function tagsOf(node) {
  const tags = ts.getJSDocTags(node).map(({ tagName }) => tagName.text);
  const symbol = node.name && checker.getSymbolAtLocation(node.name);
  return [...tags, ...(symbol?.getJsDocTags(checker) ?? []).map(({ name }) => name)];
}

test('every function and method that throws says what, with @throws', () => {
  const found = entries
    .flatMap(exportsOf)
    .filter(([name]) => !implementedByCallers.includes(name))
    .flatMap(([name, { declarations = [] }]) =>
      declarations.filter(isOurs).flatMap((node) => callablesOf(name, node)),
    );
  const silent = found.filter(([, node]) => !tagsOf(node).includes('throws'));
  const names = [...new Set(silent.map(([name]) => name))];
  assert.ok(found.length > 60);
  assert.equal(names.sort().join('\n'), neverThrows.join('\n'));
});
