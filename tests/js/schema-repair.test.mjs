// Compares each schema that `repair` and `strata.schema` write with the one given: an independent validator must
// accept and refuse the same values. The seed is printed with a failure.
import assert from 'node:assert/strict';
import test, { before, describe } from 'node:test';
import Ajv from 'ajv';
import { load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';

const model = 'gemini-3.8-flash';
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
const ajv = new Ajv({
  extendRefs: true,
  unknownFormats: 'ignore',
  validateSchema: false,
  logger: false,
});

const seed = Number(process.env.STRATA_SEED ?? 20261122);

function randomizer(start) {
  let state = start;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (count) => Math.floor(next() * count);
  return { below, pick: (list) => list[below(list.length)], chance: (share) => next() < share };
}

const counts = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'];
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const maps = ['properties', '$defs', 'definitions', 'patternProperties'];
const lists = ['anyOf', 'oneOf', 'allOf'];
const singles = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
];

/** Returns the JSON Schema that means the same as a schema in either form. Written apart from the core's. */
function meaning(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  const out = {};
  for (const [key, value] of Object.entries(schema)) {
    const name = camel(key);
    if (maps.includes(name)) {
      out[name] = Object.fromEntries(Object.entries(value).map(([k, v]) => [k, meaning(v)]));
    } else if (lists.includes(name)) out[name] = value.map(meaning);
    else if (singles.includes(name)) out[name] = meaning(value);
    else if (counts.includes(name)) out[name] = Number(value);
    else if (name === 'type') {
      out.type = Array.isArray(value) ? value.map((one) => one.toLowerCase()) : value.toLowerCase();
    } else if (name !== 'nullable') out[name] = value;
  }
  if (schema.nullable !== true) return out;
  // Definitions stay where references look for them.
  const { definitions, $defs, ...rest } = out;
  return { anyOf: [rest, { type: 'null' }], definitions, $defs };
}

const words = ['x', 'y', 'zz'];
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/** A random schema with keywords of both forms, valid and not. */
function randomSchema(random, depth, google) {
  const { pick, chance, below } = random;
  const inner = () => randomSchema(random, depth - 1, google);
  const schema = {};
  const named = (type) => (google && chance(0.5) ? type.toUpperCase() : type);
  if (chance(0.1)) schema.description = pick(words);
  if (chance(0.05)) schema.$comment = 'c';
  if (chance(0.05)) schema.$schema = 'http://json-schema.org/draft-07/schema#';
  if (chance(0.1)) return { ...schema, const: pick(['x', 'y', 1, true, null]) };
  if (depth > 0 && chance(0.2)) {
    const members = Array.from({ length: 1 + below(2) }, inner);
    if (chance(0.5)) members.push({ type: named('null') });
    schema[pick(['anyOf', 'anyOf', 'anyOf', google ? 'any_of' : 'anyOf', 'oneOf', 'allOf'])] =
      members;
    if (chance(0.2)) schema.nullable = true;
    if (chance(0.1)) schema.type = named(pick(types));
    return schema;
  }
  if (chance(0.12))
    return { ...schema, $ref: '#/definitions/D', ...(chance(0.4) ? { minLength: 1 } : {}) };
  const type = pick(depth > 0 ? types : types.filter((one) => !['array', 'object'].includes(one)));
  if (chance(0.85)) schema.type = named(type);
  if (chance(0.15))
    schema.type = chance(0.6) ? [type, 'null'] : [type, pick(types.filter((one) => one !== type))];
  if (chance(0.15)) schema.nullable = chance(0.9);
  if (type === 'string' || chance(0.1)) {
    if (chance(0.3))
      schema.enum = [...new Set([pick(words), pick(words), pick(['x', null, 1])])].slice(
        0,
        1 + below(3),
      );
    if (chance(0.2))
      schema[google ? pick(['minLength', 'min_length']) : 'minLength'] = google
        ? pick([1, '1'])
        : 1;
    if (chance(0.1)) schema.format = pick(['date-time', 'uri']);
  }
  if (type === 'integer' || type === 'number') {
    if (chance(0.3)) schema[pick(['minimum', 'exclusiveMinimum'])] = below(3);
    if (chance(0.3)) schema[pick(['maximum', 'exclusiveMaximum'])] = below(3);
    if (chance(0.2)) schema.enum = [0, 1];
  }
  if ((type === 'array' || chance(0.05)) && depth > 0 && chance(0.8)) schema.items = inner();
  if ((type === 'object' || chance(0.05)) && depth > 0 && chance(0.9)) {
    schema.properties = { a: inner(), ...(chance(0.5) ? { b: inner() } : {}) };
    if (chance(0.4)) schema.required = ['a'];
    if (chance(0.3)) schema.additionalProperties = pick([true, false, { type: 'string' }]);
  }
  return schema;
}

const atoms = [
  null,
  true,
  false,
  -1,
  0,
  1,
  2,
  3,
  1.5,
  '',
  'x',
  'y',
  'zz',
  'http://a.b/c',
  '2026-01-01T00:00:00Z',
];

/** A random value; half of the time one that the schema asks for, as far as it goes. */
function randomValue(random, schema, depth, defs) {
  const { pick, chance, below } = random;
  if (typeof schema !== 'object' || schema === null || chance(0.2)) schema = {};
  if (schema.$ref && depth > 0) return randomValue(random, defs.D, depth - 1, defs);
  for (const list of lists)
    if (schema[list] && chance(0.8)) return randomValue(random, pick(schema[list]), depth, defs);
  if ('const' in schema && chance(0.7)) return schema.const;
  if (schema.enum && chance(0.7)) return pick(schema.enum);
  const type = Array.isArray(schema.type) ? pick(schema.type) : (schema.type ?? pick(types));
  if (depth > 0 && type === 'array') {
    return Array.from({ length: below(3) }, () =>
      randomValue(random, schema.items, depth - 1, defs),
    );
  }
  if (depth > 0 && type === 'object') {
    const names = ['a', 'b', 'c'].filter(() => chance(0.5));
    return Object.fromEntries(
      names.map((name) => [name, randomValue(random, schema.properties?.[name], depth - 1, defs)]),
    );
  }
  const fitting = atoms.filter((one) =>
    one === null ? type === 'null' : typeof one === (type === 'integer' ? 'number' : type),
  );
  return chance(0.8) && fitting.length > 0 ? pick(fitting) : pick(atoms);
}

/** Fails if the two schemas differ on one of many values. */
function assertSame(given, written, random, about, onlyObjects) {
  const before = meaning(given);
  const after = meaning(written);
  const accepts = ajv.compile(before);
  const acceptsAfter = ajv.compile(after);
  const defs = before.definitions ?? {};
  let accepted = 0;
  for (let i = 0; i < 60; ++i) {
    const value = randomValue(random, before, 4, defs);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (onlyObjects && !isObject) continue;
    const is = accepts(value);
    accepted += is ? 1 : 0;
    assert.equal(acceptsAfter(value), is, `${about}: ${JSON.stringify({ given, written, value })}`);
  }
  return accepted;
}

let strata;
let checker;
before(async () => {
  strata = await load();
  checker = await loadChecker();
});

const definitions = { D: { type: 'string', minLength: 1 } };
const withDefinitions = (schema) =>
  JSON.stringify(schema).includes('#/definitions/D') ? { ...schema, definitions } : schema;

describe('a rewritten schema accepts and refuses the same values', () => {
  for (const field of [
    'responseSchema',
    'responseJsonSchema',
    'parameters',
    'parametersJsonSchema',
  ]) {
    for (const backend of ['gemini', 'vertex']) {
      test(`repair of ${field} on ${backend}`, () => {
        const random = randomizer(seed);
        const google = !field.endsWith('JsonSchema');
        const tool = field.startsWith('parameters');
        const seen = { repaired: 0, moved: 0, accepted: 0 };
        for (let i = 0; i < 1500; ++i) {
          const any = withDefinitions(randomSchema(random, 3, google));
          const given = tool && random.chance(0.9) ? { ...any, type: 'object' } : any;
          const holder = { [field]: given };
          const body = tool
            ? { contents, tools: [{ functionDeclarations: [{ name: 'f', ...holder }] }] }
            : { contents, generationConfig: { responseMimeType: 'application/json', ...holder } };
          const repaired = checker.repair(body, { model, backend });
          const written = JSON.parse(new TextDecoder().decode(repaired.body));
          const owner = tool ? written.tools[0].functionDeclarations[0] : written.generationConfig;
          const moved = field.replace('Schema', '') + 'JsonSchema';
          const schema = owner[field] ?? owner[moved];
          const count = repaired.diagnostics.filter((one) => one.repaired).length;
          if (count === 0) {
            assert.deepEqual(written, body);
            continue;
          }
          seen.repaired += 1;
          seen.moved += owner[field] === undefined ? 1 : 0;
          seen.accepted += assertSame(given, schema, random, `seed ${seed}, schema ${i}`, tool);
          const twice = checker.repair(written, { model, backend });
          assert.deepEqual(JSON.parse(new TextDecoder().decode(twice.body)), written);
        }
        // On Vertex AI, no fault of a JSON Schema that can be repaired is known to be refused.
        if (!google && backend === 'vertex') return assert.equal(seen.repaired, 0);
        assert.ok(seen.repaired > (google ? 300 : 20), JSON.stringify(seen));
        assert.ok(!google || (seen.moved > 50 && seen.moved < seen.repaired), JSON.stringify(seen));
        assert.ok(seen.accepted > seen.repaired, JSON.stringify(seen));
      });
    }
  }

  test('strata.schema', () => {
    const random = randomizer(seed + 1);
    let changed = 0;
    for (let i = 0; i < 3000; ++i) {
      const given = withDefinitions(randomSchema(random, 3, false));
      const { schema, diagnostics } = strata.schema(given, { model });
      assertSame(given, schema, random, `seed ${seed}, schema ${i}`, false);
      if (JSON.stringify(schema) === JSON.stringify(given)) continue;
      changed += 1;
      assert.ok(
        diagnostics.some((one) => one.repaired),
        `changed without a diagnostic: ${JSON.stringify({ given, schema, diagnostics })}`,
      );
    }
    assert.ok(changed > 1000, `${changed} of 3,000 schemas changed`);
  });
});
