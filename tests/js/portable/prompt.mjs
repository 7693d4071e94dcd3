// compile and promptArguments through WebAssembly: the same bytes and fingerprints in every runtime, and how a
// request uses a compiled prompt.
import { deepEqual, equal, match, ok, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const decode = (bytes) => new TextDecoder().decode(bytes);
const parse = ({ body }) => JSON.parse(decode(body));
const codes = ({ diagnostics }) => diagnostics.map(({ code }) => code);

// Every source of a section, and characters of every UTF-8 length.
const everything = {
  profile: 'full',
  workspace_root: '/w',
  files: {
    'SOUL.md': 'a\r\nb\rc\n',
    'IDENTITY.md': { text: 'Ä\u2003日本 🦀', path: 'kv:IDENTITY' },
    'AGENTS.md': 'x'.repeat(50),
  },
  limits: { per_file: 20 },
  include_tool_recovery_policy: true,
  continue_generation_hint: 'Go on.',
  skills: {
    active: [
      { slug: 'pdf', name: 'PDF', description: 'Reads PDFs.', body: 'How to.', paths: ['*.pdf'] },
    ],
    paths: ['tax/2026.pdf'],
  },
  extra_system: 'Linux',
  sections: [
    { id: 'agents', title: 'Agents', file: 'AGENTS.md' },
    {
      id: 'greeting',
      stability: 'dynamic',
      template: 'Hello {{ name }}, {{ system.day_of_week }}!',
    },
  ],
};

function compileEverything(templates) {
  const { arguments: given } = templates.promptArguments({ now, args: { name: 'Ann' } });
  return templates.compile({ ...everything, arguments: given });
}

// Those of PromptCompiler.GivesTheFingerprintsThatEveryRuntimeGives, which runs natively.
const fingerprints = {
  stable: '6b222015818dc1b6c05f4fd813d757e2ac3b91607ab600f93c00d72e7e6f6948',
  dynamic: 'b00763a1a267f8d3ae5ead6d3a0ba6442af17617102e4c9cd7a628bfd0351a7c',
  full: 'd8cb5995465c670251674b0eef76b5ebf1bd1f06d9194d9ba4ea5128184b605f',
};

const compile = [
  {
    name: 'returns the same fingerprints for the same prompt in every runtime',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const { stable, dynamic, full, manifest } = compileEverything(templates);
      deepEqual(manifest.fingerprints, fingerprints);
      const hashed = [stable, dynamic, full].map((text) => templates.fingerprint(text));
      deepEqual(hashed, [fingerprints.stable, fingerprints.dynamic, fingerprints.full]);
      match(dynamic, /Hello Ann, Saturday!$/);
      match(stable, /### IDENTITY\.md \(kv:IDENTITY\)\nÄ\u2003日本 🦀\n/);
    },
  },
  {
    name: 'lists sections, files, skills, and findings in the manifest, but no text',
    async run(pkg) {
      const { manifest, stable } = compileEverything(await pkg.templates.loadTemplates());
      deepEqual(
        manifest.sections.map(({ id, stability }) => `${stability} ${id}`),
        [
          ...['identity_base', 'assistant_safety', 'soul_core', 'identity_core'].map(
            (id) => `stable ${id}`,
          ),
          ...['stable tool_recovery_policy', 'stable agents'],
          ...['recovery_continuation', 'skills_runtime_prompt', 'extra_system', 'greeting'].map(
            (id) => `dynamic ${id}`,
          ),
        ],
      );
      deepEqual(
        manifest.sources.map(({ file, status, chars }) => [file, status, chars]),
        [
          ['SOUL.md', 'loaded', 5],
          ['IDENTITY.md', 'loaded', 6],
          ['USER.md', 'missing', 0],
          ['AGENTS.md', 'truncated', 20],
        ],
      );
      deepEqual(codes(manifest), ['bootstrap.missing', 'bootstrap.truncated']);
      deepEqual(manifest.skills, {
        listed: ['pdf'],
        bodies: ['pdf'],
        omitted: [],
        truncated: false,
      });
      const sizes = manifest.sections.filter(({ stability }) => stability === 'stable');
      const chars = sizes.reduce((sum, section) => sum + section.chars, 0);
      equal(chars + 2 * (sizes.length - 1), [...stable].length);
    },
  },
  {
    name: 'splits a full text at its boundary',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const { stable, dynamic, full } = compileEverything(templates);
      deepEqual(templates.splitPrompt(full), { stable, dynamic });
      equal(templates.splitPrompt(stable), null);
    },
  },
  {
    name: 'rejects an invalid prompt with its path',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      throws(() => templates.compile(), { code: 'field.invalid' });
      throws(() => templates.compile({ profile: 'none', limits: { total: 'all' } }), {
        code: 'field.invalid',
        message: /\/limits\/total/,
      });
      const sections = [{ id: 'a', template: 'a\n{% if %}' }];
      throws(() => templates.compile({ sections, strict: true }), {
        code: 'template.syntax',
        line: 2,
      });
      equal(templates.compile({ sections }).stable, '## a\na\n{% if %}');
    },
  },
];

const args = [
  {
    name: 'nests arguments in their namespaces and copies the given values',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const given = { name: 'lex', list: [{ deep: 1 }], message: 'shadow' };
      const { arguments: made, diagnostics } = templates.promptArguments({
        now: '2026-03-05T08:08:09.123+01:00',
        message: { text: 'hello', language: 'en-IN' },
        args: given,
      });
      equal(made.system.date_rfc1123, 'Thu, 05 Mar 2026 07:08:09 UTC');
      equal(made.system.date_unix_ms, '1772694489123');
      deepEqual(made.message, { text: 'hello', language: 'en-IN' });
      deepEqual(made.args, given);
      deepEqual(codes({ diagnostics }), ['argument.shadows_namespace']);
      equal(diagnostics[0].path, '/args/message');
      made.args.list[0].deep = 2;
      equal(given.list[0].deep, 1);
      equal(made.list[0].deep, 1);
      throws(() => templates.promptArguments({ now: 'today' }), { code: 'field.invalid' });
    },
  },
];

async function open(pkg) {
  const strata = await pkg.load();
  return { strata, thread: strata.thread({ model }) };
}

const textsOf = (request) => ({
  staticText: parse(request).systemInstruction?.parts[0].text,
  dynamicText: parse(request).contents[0].parts[0].text,
});

const requests = [
  {
    name: 'starts layer 1 with the stable half and layer 2 with the dynamic half, without the boundary',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const { thread } = await open(pkg);
      const compiled = compileEverything(templates);
      const dynamic = { template: templates.defaultTemplate('dynamic') };
      const alone = thread.assemble({ now, compiled, dynamic, trigger: 'hi' });
      equal(textsOf(alone).staticText, compiled.stable);
      ok(textsOf(alone).dynamicText.startsWith(`${compiled.dynamic}\n\n{`));
      const json = textsOf(alone).dynamicText.slice(compiled.dynamic.length);
      equal(JSON.parse(json).current_datetime, now);
      const combined = thread.assemble({
        ...{ now, compiled, trigger: 'hi' },
        static: { text: 'Also.' },
        dynamic: { text: '' },
      });
      equal(textsOf(combined).staticText, `${compiled.stable}\n\nAlso.`);
      equal(textsOf(combined).dynamicText, compiled.dynamic);
      for (const request of [alone, combined]) {
        ok(!decode(request.body).includes('CACHE_BOUNDARY'));
        equal(request.manifest.profile, 'full');
        deepEqual(codes(request), codes(compiled.manifest));
      }
      const { sections } = combined.manifest;
      equal(sections.find(({ id }) => id === 'static').fingerprint, templates.fingerprint('Also.'));
      deepEqual(
        sections.filter(({ id }) => id !== 'static'),
        compiled.manifest.sections,
      );
    },
  },
  {
    name: 'removes the boundary from halves that the caller built',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const { thread } = await open(pkg);
      const { full } = compileEverything(templates);
      const compiled = { stable: full, dynamic: '', full };
      const request = thread.assemble({ now, compiled, trigger: 'hi' });
      ok(!decode(request.body).includes('CACHE_BOUNDARY'));
      throws(() => thread.assemble({ now, compiled: { stable: 1 } }), { code: 'field.invalid' });
    },
  },
  {
    name: 'quotes old history after the stable half',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const { thread } = await open(pkg);
      for (const role of ['user', 'model', 'user', 'model']) {
        thread.append({ role, parts: [{ text: `old ${role}` }] });
      }
      const compiled = templates.compile({ profile: 'none' });
      const request = thread.assemble({ now, compiled, bufferTokens: 0, trigger: 'hi' });
      const { staticText } = textsOf(request);
      ok(staticText.startsWith(compiled.stable));
      match(staticText.slice(compiled.stable.length), /old user/);
    },
  },
  {
    name: 'sends tools in the field tools only, never in the prompt text',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const { thread } = await open(pkg);
      const tools = [
        { functionDeclarations: [{ name: 'launch_probe', description: 'Flies away.' }] },
      ];
      const compiled = templates.compile({
        ...everything,
        tools,
        skills_prompt: 'Use what you have.',
      });
      ok(!/launch_probe|Flies/.test(compiled.full));
      const request = thread.assemble({ now, compiled, tools, trigger: 'hi' });
      const { tools: sent, ...rest } = parse(request);
      deepEqual(sent, tools);
      ok(!/launch_probe|Flies/.test(JSON.stringify(rest)));
      const { tools: none, ...without } = parse(thread.assemble({ now, compiled, trigger: 'hi' }));
      equal(none, undefined);
      deepEqual(without, rest);
    },
  },
];

// A linear congruential generator, so every runtime uses the same values.
function* numbers(seed) {
  for (let state = seed; ; state = (state * 1103515245 + 12345) % 2 ** 31) yield state;
}

const alphabet = ['a', 'é', '🦀', '\n', '"', '{{ x }}', ' ', '## ', '\u2028', '<!-- ', '\\'];

function randomText(random) {
  const length = random.next().value % 40;
  return Array.from({ length }, () => alphabet[random.next().value % alphabet.length]).join('');
}

const properties = [
  {
    name: 'keeps the stable half, its fingerprint, and the stable prefix when a dynamic value changes',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const { thread } = await open(pkg);
      const random = numbers(7);
      const names = ['dynamic_context', 'extra_system', 'retry_instruction', 'skills_prompt'];
      const input = { ...everything, skills: undefined };
      const first = templates.compile(input);
      const before = thread.assemble({ now, compiled: first, trigger: 'hi', previous: undefined });
      const head = JSON.stringify(parse(before).systemInstruction);
      for (let i = 0; i < 60; i++) {
        const name = names[i % names.length];
        const compiled = templates.compile({ ...input, [name]: randomText(random) });
        equal(compiled.stable, first.stable);
        equal(compiled.manifest.fingerprints.stable, first.manifest.fingerprints.stable);
        const request = thread.assemble({
          ...{ now, compiled, trigger: 'hi' },
          previous: before.manifest,
        });
        ok(request.manifest.stablePrefixBytes >= head.length, 'the stable prefix');
        equal(request.manifest.fingerprints.stable, before.manifest.fingerprints.stable);
        equal(request.manifest.cache.key, before.manifest.cache.key);
        deepEqual(
          request.body.subarray(0, request.manifest.stablePrefixBytes),
          before.body.subarray(0, request.manifest.stablePrefixBytes),
        );
      }
    },
  },
  {
    name: 'reports a changed file as one changed stable section, with the cost of all bytes after it',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const a = compileEverything(templates).manifest;
      const files = { ...everything.files, 'IDENTITY.md': 'Another.' };
      const b = templates.compile({ ...everything, files, extra_system: 'macOS' }).manifest;
      const diff = templates.diffManifests(a, b);
      deepEqual(
        diff.sections.map(({ id, change }) => `${change} ${id}`),
        ['changed identity_core', 'changed extra_system', 'changed greeting'],
      );
      equal(diff.firstChange, 'identity_core');
      equal(diff.sameStable, false);
      const lost = a.sections.slice(3, 6).reduce((sum, { bytes }) => sum + bytes, 0);
      equal(diff.lost.bytes, lost);
      deepEqual(templates.diffManifests(a, a), {
        ...{ sameStable: true, sameDynamic: true, sections: [] },
        shared: { bytes: diff.shared.bytes + lost, tokens: diff.shared.tokens + diff.lost.tokens },
        lost: { bytes: 0, tokens: 0 },
        fresh: { bytes: 0, tokens: 0 },
      });
    },
  },
  {
    name: 'distinguishes added, removed, and moved sections',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const of = (...ids) =>
        templates.compile({ sections: ids.map((id) => ({ id, text: id })) }).manifest;
      const changes = (a, b) =>
        templates.diffManifests(a, b).sections.map(({ id, change }) => `${change} ${id}`);
      deepEqual(changes(of('a', 'b', 'c'), of('b', 'c', 'd')), ['removed a', 'added d']);
      deepEqual(changes(of('a', 'b'), of('b', 'a')), ['moved a', 'moved b']);
      equal(templates.diffManifests(of('a'), of('a', 'b')).firstChange, 'b');
      deepEqual(templates.diffManifests(of('a', 'b'), of('a')).fresh, { bytes: 0, tokens: 0 });
    },
  },
  {
    name: 'compares the fields and the cache of two requests',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const { thread } = await open(pkg);
      const compiled = templates.compile({ profile: 'none' });
      const ask = (more) => thread.assemble({ now, compiled, trigger: 'hi', ...more }).manifest;
      const tools = [{ googleSearch: {} }];
      const diff = templates.diffManifests(ask({}), ask({ tools }));
      deepEqual([diff.fields, diff.cacheStale, diff.sameStable], [['tools'], true, true]);
      const same = templates.diffManifests(ask({ tools }), ask({ tools, trigger: 'other' }));
      deepEqual([same.fields, same.cacheStale], [[], false]);
    },
  },
];

const files = [
  {
    name: 'readFiles distinguishes missing from unreadable files for every kind of reader',
    async run(pkg) {
      const reader = async (path) => {
        if (path === 'A') return 'text';
        if (path === 'B') return null;
        if (path === 'C') throw Object.assign(new Error('no'), { code: 'ENOENT' });
        throw new Error('permission denied');
      };
      const read = await pkg.templates.readFiles(reader, [
        'A',
        'B',
        'C',
        { name: 'D.md', path: 'D' },
      ]);
      deepEqual(read, [
        { name: 'A', path: 'A', text: 'text' },
        { name: 'B', path: 'B' },
        { name: 'C', path: 'C' },
        { name: 'D.md', path: 'D', error: 'permission denied' },
      ]);
      const sections = read.map(({ name }) => ({ id: name, file: name }));
      const { manifest } = (await pkg.templates.loadTemplates()).compile({ sections, files: read });
      deepEqual(codes(manifest), [
        'bootstrap.missing',
        'bootstrap.missing',
        'bootstrap.unreadable',
      ]);
    },
  },
  {
    name: 'fetchReader reads paths relative to a URL',
    async run(pkg) {
      const send = async (url) => {
        const path = new URL(url).pathname;
        const status = { '/p/SOUL.md': 200, '/p/USER.md': 404 }[path] ?? 503;
        return new Response('Be kind.', { status });
      };
      const reader = pkg.templates.fetchReader('https://prompts.example/p/', send);
      const read = await pkg.templates.readFiles(reader, ['SOUL.md', 'IDENTITY.md', 'USER.md']);
      deepEqual(
        read.map(({ text, error }) => [text, error]),
        [
          ['Be kind.', undefined],
          [undefined, 'HTTP 503'],
          [undefined, undefined],
        ],
      );
    },
  },
];

export default [...compile, ...args, ...requests, ...properties, ...files];
