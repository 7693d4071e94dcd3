// Describes the options of public calls from their TypeScript types, for the test that gives each a wrong value.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The public types that the core reads. */
const roots = [
  'LoadOptions',
  'LintOptions',
  'ImportOptions',
  'RepairOptions',
  'BodyTimelineOptions',
  'SchemaOptions',
  'ThreadOptions',
  'TurnMeta',
  'AppendOptions',
  'FinishOptions',
  'TimelineOptions',
  'Replacement',
  'MaskOptions',
  'ShortenOptions',
  'BudgetOptions',
  'AssembleInput',
  'TemplateOptions',
  'EstimateOptions',
  'CacheRequest',
  'PromptInput',
  'ArgumentSources',
];
/** Results of other calls, which callers pass on unchanged, and data of templates. */
const opaque = new Set([
  ...['Manifest', 'CompiledPrompt', 'Template', 'Spent'],
  ...['StaticVariables', 'DynamicVariables'],
]);
/** The shapes of the API, which rules judge instead of options readers. */
const apiShapes = '/web/sdk/types/gemini/';

const isApiShape = (type) =>
  (type.aliasSymbol ?? type.symbol)?.declarations?.[0]
    ?.getSourceFile()
    .fileName.includes(apiShapes);

// Returns the row of an option that several types of a union have.
function union(a, b) {
  if (!a) return b;
  const row = { ...a, ...b, kinds: [...new Set([...a.kinds, ...b.kinds])].sort() };
  if (!a.required || !b.required) delete row.required;
  return row;
}

const {
  Undefined,
  Null,
  StringLike,
  NumberLike,
  BooleanLike,
  StringLiteral,
  NonPrimitive,
  Any,
  Unknown,
} = ts.TypeFlags;

function describer(checker) {
  const partsOf = (type) => (type.isUnion() ? type.types : [type]);

  // Returns the kinds of JSON values that a type accepts, the words if it accepts words only, and its members.
  function describe(type, within = []) {
    const kinds = new Set();
    const row = {};
    for (const part of partsOf(type)) addPart(part, kinds, row, within);
    // An open union: its words are examples.
    if (kinds.has('string')) delete row.words;
    return { kinds: [...kinds].sort(), ...row };
  }

  function addPart(type, kinds, row, within) {
    if (type.flags & (Undefined | Null)) return;
    if (type.flags & (Any | Unknown)) return kinds.add('any');
    if (type.flags & StringLiteral) return (row.words ??= []).push(type.value);
    const isOpen = type.isIntersection() && type.types.some((part) => part.flags & StringLike);
    if (isOpen || type.flags & StringLike) return kinds.add('string');
    if (type.flags & NumberLike) return kinds.add('number');
    if (type.flags & BooleanLike) return kinds.add('boolean');
    if (type.getCallSignatures().length > 0) return kinds.add('function');
    if (checker.isTupleType(type)) return kinds.add('array');
    if (checker.isArrayType(type)) return addArray(type, kinds, row, within);
    kinds.add('object');
    // The type `object` includes arrays.
    if (type.flags & NonPrimitive || isApiShape(type)) kinds.add('array');
    if (isApiShape(type)) return;
    addMembers(type, row, within);
  }

  function addArray(type, kinds, row, within) {
    kinds.add('array');
    const [elementType] = checker.getTypeArguments(type);
    if (within.includes(type)) return;
    if (isApiShape(elementType)) return kinds.add('object');
    const element = describe(elementType, [...within, type]);
    if (element.kinds.length > 0 || element.words) row.element = element;
  }

  function addMembers(type, row, within) {
    const name = (type.aliasSymbol ?? type.symbol)?.name;
    const properties = checker.getPropertiesOfType(type);
    const isOurs = properties[0]?.declarations?.[0]?.getSourceFile().fileName.includes('/web/');
    if (!isOurs || opaque.has(name) || within.includes(type)) return;
    row.members ??= {};
    for (const property of properties)
      row.members[property.name] = union(
        row.members[property.name],
        member(property, [...within, type]),
      );
  }

  function member(property, within) {
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const row = describe(checker.getTypeOfSymbol(property), within);
    return isOptional ? row : { required: true, ...row };
  }

  return describe;
}

/** Returns the options of each type: `{ [type]: { members: { [name]: { kinds, words, required, members, element } } } }`. */
export function optionTable() {
  const entries = ['index.ts', 'templates/index.ts', 'check/index.ts'].map((file) =>
    fileURLToPath(new URL(`../../web/${file}`, import.meta.url)),
  );
  const program = ts.createProgram(entries, {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'],
    types: [],
  });
  const checker = program.getTypeChecker();
  const describe = describer(checker);
  const types = new Map();
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry));
    for (const symbol of checker.getExportsOfModule(module)) types.set(symbol.name, symbol);
  }
  const rows = roots.map((name) => {
    const symbol = types.get(name);
    if (!symbol) throw new Error(`The package exports no type ${name}`);
    return [name, describe(checker.getDeclaredTypeOfSymbol(resolved(checker, symbol)))];
  });
  return Object.fromEntries(rows);
}

const resolved = (checker, symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
