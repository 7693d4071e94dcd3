// Each refusal of a schema, a declaration or a toolConfig: its path, and Google's words with the place where they
// were seen. Each case has the nearest body that passes.
import { deepEqual, equal, ok } from './assert.mjs';

const model = 'gemini-3.8-flash';
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
const text = { type: 'string' };
const object = (properties, more) => ({ type: 'object', properties, ...more });
const declared = (parameters, more) => ({
  contents,
  tools: [{ functionDeclarations: [{ name: 'f', parameters }] }],
  ...more,
});
const declaredAs = (field, schema) => ({
  contents,
  tools: [{ functionDeclarations: [{ name: 'f', [field]: schema }] }],
});
const answered = (field, schema) => ({
  contents,
  generationConfig: { responseMimeType: 'application/json', [field]: schema },
});
const calling = (functionCallingConfig, more = declared(object({ a: text }))) => ({
  ...more,
  toolConfig: { functionCallingConfig },
});
const place = 'tools[0].function_declarations[0].parameters';
const path = '/tools/0/functionDeclarations/0/parameters';
const nested = (levels, inner = text) =>
  levels === 0 ? inner : object({ a: nested(levels - 1, inner) });

/** `upstream` is absent where Google's words are not known. */
const refusals = [
  {
    source: 'iBUHub/AIStudioToAPI#154, Kilo-Org/kilocode#11955',
    code: 'schema.required_undefined',
    body: declared(object({ a: text }, { required: ['b'] })),
    near: declared(object({ a: text }, { required: ['a'] })),
    path: `${path}/required/0`,
    upstream: `* GenerateContentRequest.${place}.required[0]: property is not defined`,
  },
  {
    source: 'agno-agi/agno#2112',
    code: 'schema.empty_object',
    body: declared(object({ a: object({}) })),
    near: declared(object({})),
    path: `${path}/properties/a`,
    upstream: `* GenerateContentRequest.${place}.properties[a].properties: should be non-empty for OBJECT type`,
  },
  {
    source: 'browser-use/browser-use#3786',
    code: 'schema.empty_object',
    body: answered('responseSchema', object({ a: { type: 'ARRAY', items: { type: 'OBJECT' } } })),
    near: answered('responseSchema', object({ a: { type: 'ARRAY', items: object({ b: text }) } })),
    path: '/generationConfig/responseSchema/properties/a/items',
    upstream:
      '* GenerateContentRequest.generation_config.response_schema.properties[a].items.properties: should be non-empty for OBJECT type',
  },
  {
    source: 'musistudio/claude-code-router#475',
    code: 'schema.wrong_type',
    body: declared(object({ a: { type: 'integer', enum: ['1'] } })),
    near: declared(object({ a: { type: 'STRING', enum: ['1'] } })),
    path: `${path}/properties/a/enum`,
    upstream: `* GenerateContentRequest.${place}.properties[a].enum: only allowed for STRING type`,
  },
  {
    source: 'microsoft/azure-devops-mcp#145',
    code: 'schema.invalid_value',
    body: declared(object({ a: { type: 'integer', enum: [0] } })),
    near: declaredAs('parametersJsonSchema', object({ a: { type: 'integer', enum: [0] } })),
    path: `${path}/properties/a/enum/0`,
    upstream: `Invalid value at '${place}.properties[0].value.enum[0]' (TYPE_STRING), 0`,
  },
  {
    source: 'google-gemini/deprecated-generative-ai-js#320',
    code: 'schema.invalid_value',
    body: declared(object({ a: { type: 'enum' } })),
    near: declared(object({ a: text })),
    path: `${path}/properties/a/type`,
    upstream: `Invalid value at '${place}.properties[0].value.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "enum"`,
  },
  ...['additionalProperties', 'const', '$ref', 'oneOf', '$schema', 'exclusiveMinimum', 'allOf'].map(
    (name) => ({
      source: 'zed-industries/zed#44875, bigduu/Bodhi-AI#52, router-for-me/CLIProxyAPI#97',
      code: 'schema.unknown_keyword',
      body: declared(object({ a: { ...text, [name]: 'x' } })),
      near: declaredAs('parametersJsonSchema', object({ a: { type: 'string' } })),
      path: `${path}/properties/a/${name}`,
      upstream: `Invalid JSON payload received. Unknown name "${name}" at '${place}.properties[0].value': Cannot find field.`,
    }),
  ),
  {
    source: 'zed-industries/zed#44875, prism-php/prism#974',
    code: 'schema.not_repeating',
    body: declared(object({ b: text, a: { type: ['string', 'null'] } })),
    near: declared(object({ b: text, a: { type: 'string', nullable: true } })),
    path: `${path}/properties/a/type`,
    upstream: `Invalid JSON payload received. Unknown name "type" at '${place}.properties[1].value': Proto field is not repeating, cannot start list.`,
  },
  {
    source: 'anomalyco/opencode#11888',
    code: 'schema.wrong_type',
    body: declared(object({ data: { ...text, properties: { a: text } } })),
    near: declared(object({ data: object({ a: text }) })),
    path: `${path}/properties/data/properties`,
    upstream: `* GenerateContentRequest.${place}.properties[data].properties: only allowed for OBJECT type`,
  },
  {
    source: 'anomalyco/opencode#43495',
    code: 'schema.wrong_type',
    body: declared(object({ a: { ...text, items: text } })),
    near: declared(object({ a: { type: 'ARRAY', items: text } })),
    path: `${path}/properties/a/items`,
    upstream: `* GenerateContentRequest.${place}.properties[a].items: field predicate failed: $type == Type.ARRAY`,
  },
  {
    source: 'DEEIX-AI/DEEIX-Chat#546',
    code: 'schema.items_missing',
    body: declared(object({ a: { type: 'array' } })),
    near: declared(object({ a: { type: 'array', items: {} } })),
    path: `${path}/properties/a`,
    upstream: `* GenerateContentRequest.${place}.properties[a].items: missing field`,
  },
  {
    source: 'google-gemini/gemini-cli#3178',
    code: 'schema.format_unsupported',
    body: declared(object({ links: { type: 'array', items: { ...text, format: 'uri' } } })),
    near: declared(object({ links: { type: 'array', items: { ...text, format: 'date-time' } } })),
    path: `${path}/properties/links/items/format`,
    upstream: `* GenerateContentRequest.${place}.properties[links].items.format: only 'enum' and 'date-time' are supported for STRING type`,
  },
  {
    source: 'sbroenne/mcp-server-excel#607, Smana/runlore#40',
    code: 'schema.empty_enum_value',
    body: declared(object({ op: { ...text, enum: ['resume', ''] } })),
    near: declared(object({ op: { ...text, enum: ['resume'] } })),
    path: `${path}/properties/op/enum/1`,
    upstream: `* GenerateContentRequest.${place}.properties[op].enum[1]: cannot be empty`,
  },
  {
    source: 'cline/cline#7897, flutter/genui#428',
    code: 'schema.too_many_states',
    severity: 'warning',
    body: answered(
      'responseSchema',
      object({
        a: {
          type: 'ARRAY',
          maxItems: 900,
          items: { ...text, enum: Array.from({ length: 20 }, (_, i) => `value ${i}`) },
        },
      }),
    ),
    near: answered('responseSchema', object({ a: { type: 'ARRAY', maxItems: 900, items: text } })),
    path: '/generationConfig/responseSchema',
    upstream: 'The specified schema produces a constraint that has too many states for serving.',
  },
  {
    source: 'googleapis/python-genai#2170, vercel/ai#21192',
    code: 'schema.max_items',
    body: answered(
      'responseJsonSchema',
      object({
        a: { type: 'array', maxItems: 500, items: text },
        b: { type: 'array', maxItems: 500, items: text },
      }),
    ),
    near: answered(
      'responseJsonSchema',
      object({ a: { type: 'array', maxItems: 500, items: text } }),
    ),
    path: '/generationConfig/responseJsonSchema',
    upstream: 'Request contains an invalid argument.',
  },
  {
    source: 'googleapis/js-genai#882, Portkey-AI/gateway#1546',
    code: 'schema.too_deep',
    severity: 'warning',
    body: answered('responseSchema', nested(6)),
    near: answered('responseSchema', nested(5)),
    path: '/generationConfig/responseSchema/properties/a/properties/a/properties/a/properties/a/properties/a',
    upstream:
      'A schema in GenerationConfig in the request exceeds the maximum allowed nesting depth.',
  },
  {
    source: 'google-gemini/gemini-cli#5923',
    code: 'schema.too_deep',
    severity: 'warning',
    body: declared(nested(10)),
    near: declared(nested(9)),
    path: path + '/properties/a'.repeat(9),
    upstream: 'A FunctionDeclaration in the request exceeds the maximum allowed nesting depth.',
  },
  {
    source: 'anomalyco/opencode#12295',
    code: 'schema.ref_siblings',
    body: declaredAs(
      'parametersJsonSchema',
      object({ a: { $ref: '#/$defs/Option', type: 'object' } }, { $defs: { Option: text } }),
    ),
    near: declaredAs(
      'parametersJsonSchema',
      object({ a: { $ref: '#/$defs/Option', description: 'x' } }, { $defs: { Option: text } }),
    ),
    path: '/tools/0/functionDeclarations/0/parametersJsonSchema/properties/a/type',
    upstream:
      "$ref 'Option' was set alongside unsupported fields. If a schema node has $ref set, then only description and default can be set alongside it",
  },
  {
    source: 'google-gemini/gemini-cli#13326',
    code: 'schema.ref_undefined',
    body: declaredAs(
      'parametersJsonSchema',
      object({ target: { anyOf: [text, { $ref: '#/$defs/T' }] } }),
    ),
    near: declaredAs(
      'parametersJsonSchema',
      object({ target: { anyOf: [text, { $ref: '#/$defs/T' }] } }, { $defs: { T: text } }),
    ),
    path: '/tools/0/functionDeclarations/0/parametersJsonSchema/properties/target/anyOf/1/$ref',
    upstream: 'reference to undefined schema at properties.target.anyOf.1',
  },
  {
    source: 'googleapis/dotnet-genai#189, rikkahub/rikkahub#1311',
    code: 'tools.duplicate_declaration',
    body: {
      contents,
      tools: [{ functionDeclarations: [{ name: 'f' }] }, { functionDeclarations: [{ name: 'f' }] }],
    },
    near: { contents, tools: [{ functionDeclarations: [{ name: 'f' }, { name: 'g' }] }] },
    path: '/tools/1/functionDeclarations/0',
    upstream: 'Duplicate function declaration found: f',
  },
  {
    source: 'google-gemini/gemini-cli#19083',
    code: 'tools.too_many_declarations',
    backend: 'vertex',
    body: {
      contents,
      tools: [{ functionDeclarations: Array.from({ length: 513 }, (_, i) => ({ name: `f${i}` })) }],
    },
    near: {
      contents,
      tools: [{ functionDeclarations: Array.from({ length: 512 }, (_, i) => ({ name: `f${i}` })) }],
    },
    path: '/tools',
    upstream:
      'The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations: [FIELD_INVALID] At most 512 function declarations can be specified.',
  },
  {
    source: 'UKGovernmentBEIS/inspect_ai#2462, AstrBotDevs/AstrBot#7407',
    code: 'tools.config_without_declarations',
    body: calling({ mode: 'AUTO' }, { contents }),
    near: calling({ mode: 'AUTO' }),
    path: '/toolConfig/functionCallingConfig',
    upstream: 'Function calling config is set without function_declarations.',
  },
  {
    source: 'traffic log of gemini-2.5-pro, 2025-10-18',
    code: 'tools.allowed_names_mode',
    body: calling({ mode: 'AUTO', allowedFunctionNames: ['f'] }),
    near: calling({ mode: 'ANY', allowedFunctionNames: ['f'] }),
    path: '/toolConfig/functionCallingConfig/allowedFunctionNames',
    upstream: 'Please set allowed_function_names only when function calling mode is ANY.',
  },
  {
    source: 'content.proto, FunctionCallingConfig.allowed_function_names',
    code: 'tools.allowed_name_undeclared',
    body: calling({ mode: 'ANY', allowedFunctionNames: ['f', 'g'] }),
    near: calling({ mode: 'any', allowedFunctionNames: ['f'] }),
    path: '/toolConfig/functionCallingConfig/allowedFunctionNames/1',
  },
  {
    source: 'content.proto, FunctionDeclaration.parameters_json_schema',
    code: 'schema.both_forms',
    body: {
      contents,
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              parameters: object({ a: text }),
              parametersJsonSchema: object({ a: text }),
            },
          ],
        },
      ],
    },
    near: {
      contents,
      tools: [
        {
          functionDeclarations: [
            { name: 'f', parameters: object({ a: text }), responseJsonSchema: object({ a: text }) },
          ],
        },
      ],
    },
    path: '/tools/0/functionDeclarations/0/parametersJsonSchema',
  },
  {
    source: 'https://ai.google.dev/gemini-api/docs/structured-output',
    code: 'schema.mime_type_missing',
    body: { contents, generationConfig: { responseSchema: object({ a: text }) } },
    near: answered('responseSchema', object({ a: text })),
    path: '/generationConfig/responseSchema',
  },
  {
    source: 'google-gemini/gemini-cli#2282, oOo0oOo/lean-lsp-mcp#185',
    code: 'schema.type_missing',
    backend: 'vertex',
    body: declared(object({ data: object({ width: { description: 'w' } }) })),
    near: declared(object({ data: object({ width: { ...text, description: 'w' } }) })),
    path: `${path}/properties/data/properties/width`,
    upstream:
      "Unable to submit request because `f` functionDeclaration `parameters.data.width` schema didn't specify the schema type field.",
  },
  {
    source: 'spring-projects/spring-ai#1373, diegosouzapw/OmniRoute#3357',
    code: 'schema.root_not_object',
    backend: 'vertex',
    body: declared({ ...text }),
    near: declared(object({ a: text })),
    path,
    upstream:
      'Unable to submit request because `f` functionDeclaration parameters schema should be of type OBJECT.',
  },
  {
    source: 'lambda-alpha-labs/Graphenium#37',
    code: 'schema.any_of_siblings',
    backend: 'vertex',
    body: declared(object({ weight: { type: 'number', anyOf: [{ type: 'number' }] } })),
    near: declared(object({ weight: { anyOf: [{ type: 'number' }] } })),
    path: `${path}/properties/weight/type`,
    upstream:
      'Unable to submit request because `f` functionDeclaration `parameters.weight` schema specified other fields alongside any_of. When using any_of, it must be the only field set.',
  },
];

const judged = refusals.map((row) => ({
  name: `${row.code}: ${row.source}`,
  async run({ check: { loadChecker } }) {
    const checker = await loadChecker();
    const options = { model, backend: row.backend ?? 'gemini' };
    const found = checker
      .lint(row.body, options)
      .diagnostics.filter(({ code }) => code === row.code);
    deepEqual(
      found.map((one) => [one.severity, one.path, one.upstream]),
      [[row.severity ?? 'error', row.path, row.upstream]],
    );
    const near = checker.lint(row.near, options).diagnostics;
    deepEqual(
      near.filter(({ code, severity }) => code === row.code || severity === 'error'),
      [],
    );
  },
}));

/** What real requests hold and the API accepts. The names are those of recorded exchanges. */
const accepted = [
  ['e2d7a8e350dc3c7c', declared(object({})), 'gemini-3-flash-preview'],
  ['84246b68325a52c9', declared({ type: 'object' }), 'gemini-2.5-flash'],
  ['173089a2bcc77501', answered('responseSchema', { type: 6, properties: { a: { type: 1 } } })],
  [
    '7853584e1114247b',
    answered('response_schema', object({ a: { anyOf: [object({ b: text }), { type: 'null' }] } })),
  ],
  [
    '8a825ab3536ab355',
    answered('responseJsonSchema', {
      $defs: { T: object({ c: { type: 'array', items: { $ref: '#/$defs/T' } } }) },
      $ref: '#/$defs/T',
      title: 'T',
    }),
  ],
  [
    '8432656b794d6870',
    answered('responseJsonSchema', object({ p: { type: 'integer', enum: [1, 2, 3] } })),
  ],
  [
    '075e7108b5547f3d',
    declaredAs(
      'parametersJsonSchema',
      object({ items: { items: text, type: ['null', 'array'] } }, { additionalProperties: false }),
    ),
  ],
  [
    'a32f3a4c08fbbc91',
    declaredAs('parametersJsonSchema', object({ a: text }, { additionalProperties: { not: {} } })),
  ],
  [
    '0d6c3092c206ce59',
    calling({ mode: 'ANY', allowedFunctionNames: [] }, { contents }),
    'gemini-2.0-flash',
  ],
  [
    '25f82c9c46e6c0e4',
    calling({ mode: 'ANY', allowedFunctionNames: [] }, { contents, tools: [{ googleSearch: {} }] }),
    'gemini-3-pro-image-preview',
  ],
];

const passes = accepted.map(([id, body, of = model]) => ({
  name: `accepts what the API accepted: ${id}`,
  async run({ check: { loadChecker } }) {
    const { ok: fine, diagnostics } = (await loadChecker()).lint(body, { model: of });
    equal(fine, true, JSON.stringify(diagnostics));
  },
}));

const decode = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
const places = (diagnostics) => diagnostics.map(({ code, path: at }) => `${code} ${at}`);

const rest = [
  {
    name: 'moves a schema to the field for JSON Schema, and keeps all other bytes',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const schema =
        '{"type":"OBJECT","properties":{"a":{"type":"STRING"}},"additionalProperties":false}';
      const head =
        '{"contents": [{"role":"user","parts":[{"text":"\\u0068i"}]}], "tools": [{ "function_declarations": [{"name":"f" , ';
      const {
        ok: fine,
        body,
        diagnostics,
      } = checker.repair(`${head}"parameters": ${schema} }] }] }`, { model });
      equal(fine, true);
      equal(
        new TextDecoder().decode(body),
        `${head}"parametersJsonSchema": ${schema.replace('OBJECT', 'object').replace('STRING', 'string')} }] }] }`,
      );
      deepEqual(
        diagnostics.map(({ code, path: at, repaired }) => [code, at, repaired]),
        [
          [
            'schema.unknown_keyword',
            '/tools/0/function_declarations/0/parameters/additionalProperties',
            true,
          ],
        ],
      );
    },
  },
  {
    name: 'moves the schema of the response in the spelling of the request',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const generation_config = {
        response_mime_type: 'application/json',
        response_schema: { type: 'STRING', format: 'uri' },
      };
      const { body } = checker.repair({ contents, generation_config }, { model });
      deepEqual(decode(body).generation_config, {
        response_mime_type: 'application/json',
        response_json_schema: { type: 'string', format: 'uri' },
      });
    },
  },
  {
    name: 'repairs 40 faults of 128 schemas at once, and says what it cannot repair',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const properties = Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [`p${i}`, { const: `v${i}` }]),
      );
      const functionDeclarations = Array.from({ length: 128 }, (_, i) => ({
        name: `f${i}`,
        parameters: object(properties, i === 7 ? { required: ['lost'] } : {}),
      }));
      const { ok: fine, diagnostics } = checker.repair(
        { contents, tools: [{ functionDeclarations }] },
        { model },
      );
      equal(fine, false);
      // The report has the first 100 of a code, and says how many others there are.
      const repaired = diagnostics.filter((one) => one.repaired);
      equal(repaired.length, 100);
      equal(repaired.at(-1).more + repaired.length, 128 * 40);
      deepEqual(places(diagnostics.filter((one) => !one.repaired)), [
        'schema.required_undefined /tools/0/functionDeclarations/7/parameters/required/0',
      ]);
    },
  },
  {
    name: 'drops a declaration that is the same as an earlier one, and no other',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const same = { name: 'f', description: 'd' };
      const other = { name: 'f', description: 'other' };
      const tools = [{ functionDeclarations: [same, { name: 'g' }, same] }];
      const repaired = checker.repair({ contents, tools }, { model });
      deepEqual(decode(repaired.body).tools, [{ functionDeclarations: [same, { name: 'g' }] }]);
      const given = { contents, tools: [{ functionDeclarations: [same, other] }] };
      deepEqual(decode(checker.repair(given, { model }).body), given);
    },
  },
  {
    name: 'drops a functionCallingConfig that has nothing to configure',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const repaired = checker.repair(calling({ mode: 'AUTO' }, { contents }), { model });
      deepEqual(decode(repaired.body).toolConfig, {});
      equal(checker.repair(calling({ mode: 'ANY' }, { contents }), { model }).ok, false);
    },
  },
  {
    name: 'strata.schema writes the documented form and reports changes and what may be ignored',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const given = object({
        a: { const: 'on' },
        b: { type: 'STRING', nullable: true, pattern: '^x' },
      });
      const { schema, diagnostics } = checker.schema(given, { model });
      deepEqual(
        schema,
        object({ a: { enum: ['on'] }, b: { type: ['string', 'null'], pattern: '^x' } }),
      );
      deepEqual(
        diagnostics.map(({ code, path: at, severity, repaired }) => [code, at, severity, repaired]),
        [
          ['schema.keyword_ignored', '/properties/a/const', 'info', true],
          ['schema.keyword_ignored', '/properties/b/nullable', 'info', true],
          ['schema.keyword_ignored', '/properties/b/pattern', 'info', undefined],
        ],
      );
      const body = declaredAs('parametersJsonSchema', schema);
      ok(checker.lint(body, { model }).ok);
    },
  },
  {
    name: 'strata.schema tells the object of a validator library from its JSON Schema',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const internals = { '~standard': { vendor: 'zod', version: 1 }, def: { type: 'object' } };
      const { diagnostics } = checker.schema(internals, { model });
      deepEqual(
        diagnostics.map(({ code }) => code),
        ['schema.validator_object'],
      );
      ok(diagnostics[0].message.includes('z.toJSONSchema(schema)'));
      const [inBody] = checker.lint(declared(internals), { model }).diagnostics;
      deepEqual(
        [inBody.code, inBody.severity, inBody.path],
        ['schema.validator_object', 'error', path],
      );
    },
  },
];

export default [...judged, ...passes, ...rest];
