// The lint engine of the playground: findings at their place in any form of text, the history Content by Content,
// repairs one by one, and the client of its worker.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';
import { examples, inputOf, isText, model, now } from '../../src/catalogue/examples.mjs';
import { chromePosix, importParts } from './lint-parts.mjs';
import { exchanges, judgedAt, requestOf, servedAs, skip } from './traffic.mjs';

const {
  analyze,
  edited,
  followRepairs,
  madeRepairs,
  repairedText,
  textWords,
  verdictOf,
  WorkerClient,
} = await importParts(
  'playground/engine/lint-analysis',
  'playground/engine/text-repairs',
  'playground/engine/lint-verdict',
  'playground/engine/workers',
);

const strata = await load();
const checker = await loadChecker();
const options = { model, backend: 'gemini', now };

/** Returns the options of an example, without that of repair, which the engine always sets. */
function givenBy(own = {}) {
  const given = { ...options, ...own };
  delete given.dummySignatures;
  return given;
}

const isError = ({ severity }) => severity === 'error';
const codesOf = (findings) => findings.map(({ code }) => code);

/** Returns the value at a JSON Pointer, or else its nearest parent. */
function nearest(value, pointer) {
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !(name in value)) break;
    value = value[name];
  }
  return value;
}

/** Checks that each finding of a JSON text is where its path says. */
function checkPlaces({ text, findings }, value = JSON.parse(text)) {
  for (const { from, to, path, code } of findings) {
    const found = JSON.parse(text.slice(from, to));
    assert.deepEqual(found, nearest(value, path), `${code} ${path}`);
  }
}

const user = (...parts) => ({ role: 'user', parts });
const modelTurn = (...parts) => ({ role: 'model', parts });
const signed = { thoughtSignature: 'c2ln' };
const call = (name, more = {}) => ({ functionCall: { name, args: {} }, ...more });
const result = (name) => ({ functionResponse: { name, response: {} } });

const broken = {
  contents: [
    user({ text: 'Hé 🐢, "how"\nare you?!' }),
    { role: 'assistant', parts: [call('f'), call('g')] },
    user({ functionResponse: { name: 'g', response: 'rain' } }),
  ],
  tools: [{ functionDeclarations: [{ name: 'f' }, { name: 'g' }] }],
};

const url = `https://generativelanguage.googleapis.com/v1beta/models/${model}:generateContent`;
const harOf = (body) =>
  JSON.stringify({
    log: { entries: [{ request: { method: 'POST', url, postData: { text: body } } }] },
  });

// The same request in each form, and how its characters are read from there.
const unquoteShell = (text) =>
  text.replace(/\\u([\da-f]{4})|\\(.)/g, (_, u, c) => {
    if (u) return String.fromCharCode(Number.parseInt(u, 16));
    return { n: '\n', r: '\r' }[c] ?? c;
  });
const forms = {
  body: { write: (body) => `\n ${body} \n`, read: (text) => text },
  jsonl: {
    write: (body) => `{"request":${body}}\n\n{"x":1,"request":${body}}\n`,
    read: (text) => text,
  },
  har: { write: harOf, read: (text) => JSON.parse(`"${text}"`) },
  curl: { write: (body) => `curl ${url} --data-raw ${chromePosix(body)}`, read: unquoteShell },
};

describe('findings', () => {
  for (const [form, { write, read }] of Object.entries(forms)) {
    test(`are at their place in the form ${form}`, () => {
      const analysis = analyze(checker, write(JSON.stringify(broken)), options);
      assert.equal(analysis.form, form);
      assert.equal(analysis.requests.length, form === 'jsonl' ? 2 : 1);
      const expected = checker.lint(broken, options).diagnostics;
      for (const [request] of analysis.requests.entries()) {
        const own = analysis.findings.filter((found) => found.request === request);
        assert.deepEqual(codesOf(own).sort(), codesOf(expected).sort());
        for (const { from, to, path } of own) {
          const value = JSON.parse(read(analysis.text.slice(from, to)));
          assert.deepEqual(value, nearest(broken, path));
        }
        const { from, to } = analysis.requests[request];
        assert.deepEqual(JSON.parse(read(analysis.text.slice(from, to))), broken);
      }
      for (const { from, to } of analysis.timeline.turns) {
        const content = JSON.parse(read(analysis.text.slice(from, to)));
        assert.ok(broken.contents.some((one) => JSON.stringify(one) === JSON.stringify(content)));
      }
    });
  }

  for (const [form, { write }] of Object.entries(forms)) {
    test(`are at each comma that only Google takes, which a repair removes, in the form ${form}`, () => {
      const body = '{"contents":[{"role":"user","parts":[{"text":"é,]"},]},],}';
      const text = write(body);
      const { findings, ok, repairs } = analyze(checker, text, options);
      const own = findings.filter(({ code }) => code === 'json.lenient');
      assert.equal(ok, true);
      assert.equal(own.length, form === 'jsonl' ? 6 : 3);
      for (const { from, to, message, severity } of own) {
        assert.deepEqual([text.slice(from, to), severity], [',', 'warning']);
        const before = text.slice(0, from).split('\n');
        const place = `line ${before.length}, column ${before.at(-1).length + 1}`;
        assert.match(message, new RegExp(`^A comma before [\\]}] in ${place}\\. `));
      }
      assert.deepEqual(
        own.map(({ repair }) => repairs[repair].edits),
        own.map(({ from, to }) => [{ from, to, text: '' }]),
      );
      assert.equal(
        repairedText(text, repairs),
        write(body.replace('},]', '}]').replace('},],', '}]')),
      );
    });
  }

  test('are not made up for an error message of Google, whose rule is named', () => {
    const message =
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    const status = { code: 400, message, status: 'INVALID_ARGUMENT' };
    for (const text of [message, JSON.stringify({ error: status }), `ApiError: 400 ${message}`]) {
      const analysis = analyze(checker, text, options);
      assert.deepEqual([analysis.findings, analysis.googleError.codes], [[], ['call.order']]);
      const { title } = verdictOf(analysis);
      assert.equal(title, 'That is `call.order`. Paste the request to find the place.');
    }
    const other = JSON.stringify({
      error: { ...status, message: 'Request contains an invalid argument.' },
    });
    assert.match(verdictOf(analyze(checker, other, options)).title, /faults of many kinds/);
  });

  test('of a HAR file stand beside what Google answered', () => {
    const message =
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    const error = JSON.stringify({ error: { code: 400, message } });
    const entry = (response) => ({
      request: { method: 'POST', url, postData: { text: JSON.stringify(broken) } },
      response,
    });
    const answers = [
      [{ status: 200, content: { text: '{}' } }, { status: 200 }],
      [
        { status: 400, content: { text: error } },
        { status: 400, error: { message, codes: ['call.order'] } },
      ],
      [
        { status: 400, content: { text: btoa(error), encoding: 'base64' } },
        { status: 400, error: { message, codes: ['call.order'] } },
      ],
      [{ status: 502, content: { text: '%', encoding: 'base64' } }, { status: 502 }],
      [{ status: 0 }, undefined],
      [null, undefined],
    ];
    const entries = answers.map(([response]) => entry(response));
    const { requests } = analyze(checker, JSON.stringify({ log: { entries } }), options);
    assert.deepEqual(
      requests.map(({ answer }) => answer),
      answers.map(([, answer]) => answer),
    );
  });

  test('of bodies for other APIs name the API', () => {
    const title = (value) => verdictOf(analyze(checker, JSON.stringify(value), options));
    const ask = [{ role: 'user', content: 'Hi' }];
    const toolUse = { type: 'tool_use', id: 'a', name: 'f', input: {} };
    for (const [value, name] of [
      [{ model: 'claude-x', max_tokens: 1, messages: ask }, "Anthropic's Messages API"],
      [{ messages: [...ask, { role: 'assistant', content: [toolUse] }] }, "Anthropic's Messages"],
      [{ messages: [{ role: 'user', content: [{ text: 'Hi' }] }] }, 'Amazon Bedrock'],
      [{ model: 'gpt-x', input: 'Hi' }, "OpenAI's Responses API"],
      [{ input: [{ type: 'message', role: 'user', content: 'Hi' }] }, "OpenAI's Responses API"],
    ])
      assert.match(title(value).title, new RegExp(`^This is a body of ${name}`));
    assert.match(
      title({ model: 'gemini-3.8-flash', input: 'Hi' }).note,
      /^This is a body of the Interactions API\. /,
    );
    assert.match(title({ messages: ask }).note, /^OpenAI messages, converted\. /);
    assert.doesNotMatch(title({ contents: [user({ text: 'Hi' })] }).note, /This is a body/);
  });

  test('name signatures of the emulator, in any quotes', () => {
    const thoughtSignature = btoa('prompt-strata emulated signature: and more');
    const value = { contents: [user({ text: 'Hi' }), modelTurn(call('f', { thoughtSignature }))] };
    for (const text of [JSON.stringify(value, null, 1), harOf(JSON.stringify(value))]) {
      const { notes } = analyze(checker, text, options);
      assert.match(
        notes[0].message,
        /^The signature in line \d+ was made by the emulator, and Google refuses/,
      );
      assert.equal(text.slice(notes[0].from, notes[0].to), thoughtSignature);
    }
    assert.deepEqual(analyze(checker, JSON.stringify(broken), options).notes, []);
  });

  test('of split results offer to join them; those of converted messages leave the model out', () => {
    const contents = [
      user({ text: 'Hi' }),
      modelTurn(call('f', signed), call('g')),
      user(result('f')),
      user(result('g')),
    ];
    const { repairs } = analyze(checker, JSON.stringify({ contents }), options);
    const joined = repairs.find(({ codes }) => codes.includes('response.count'));
    assert.match(joined.words.offer, /^Join the results into one Content/);
    const messages = [{ role: 'user', content: 'Hi', name: 'Ann' }];
    const { findings } = analyze(checker, JSON.stringify({ model: 'x', messages }), options);
    const own = findings.filter(({ code }) => code === 'import.left_out');
    assert.deepEqual(
      own.map(({ path, evidence }) => [path, evidence]),
      [['/messages/0/name', undefined]],
    );
  });

  test('of what is no JSON say where the text has it', () => {
    const { findings } = analyze(checker, `\n{"contents":\n[x]}`, options);
    const [{ code, from, to, message }, ...others] = findings;
    assert.deepEqual([code, from, to, others], ['json.invalid', 15, 16, []]);
    assert.equal(message, 'Invalid JSON: expected a value in line 3, column 2.');
  });

  test('say nothing about what a shell computes, and no repair moves it', () => {
    const inlineData = { mimeType: 'image/png', data: '@' };
    const contents = [{ role: 'assistant', parts: [{ inlineData }] }];
    const written = JSON.stringify({ contents }).replace('@', () => `'"$(base64 a.png)"'`);
    const text = `curl ${url} -d '${written}'`;
    const { findings, body, repairs } = analyze(checker, text, options);
    assert.deepEqual(codesOf(findings), ['role.invalid']);
    assert.equal(JSON.parse(body).contents[0].parts[0].inlineData.data, '$(base64 a.png)');
    assert.equal(repairedText(text, repairs), text.replace('assistant', 'model'));
  });

  test('are those of OpenAI messages in a command for that API, and no others', () => {
    const chat = url.replace(/models.*/, 'openai/chat/completions');
    const messages = [{ role: 'user', content: 'Hi' }];
    const command = (value) => `curl ${chat} -d '${JSON.stringify(value)}'`;
    const analysis = analyze(checker, command({ messages }), options);
    assert.deepEqual([analysis.requests.length, analysis.ok, analysis.notes], [1, true, []]);
    assert.match(analysis.converted, /"contents":/);
    const { requests, notes } = analyze(checker, command({ input: 'Hi' }), options);
    assert.equal(requests.length, 0);
    assert.match(notes[0].message, /which is an OpenAI API/);
  });

  test('of the chosen request are returned, however many others there are', () => {
    const text = `${'{"contents": []}\n'.repeat(1200)}${JSON.stringify(broken)}`;
    const { chosen, findings, omittedFindings, requests } = analyze(checker, text, {
      ...options,
      request: 1200,
    });
    const own = findings.filter(({ request }) => request === chosen);
    const { errors, warnings, notes } = requests[chosen];
    assert.equal(chosen, 1200);
    assert.equal(own.length, checker.lint(broken, options).diagnostics.length);
    assert.equal(errors + warnings + notes, own.length);
    assert.equal(findings.length, 1000);
    assert.equal(omittedFindings, 200 + own.length);
    assert.ok(findings.every(({ from }, i) => i === 0 || from >= findings[i - 1].from));
  });

  test('beyond those of a rule that are listed are counted', () => {
    const text = `{"contents":[${'{},'.repeat(3000)}{}]}`;
    const { findings, omittedFindings, requests } = analyze(checker, text, options);
    assert.equal(findings.length, 101);
    assert.equal(omittedFindings, 2 * 3001 - 200);
    assert.deepEqual([requests[0].errors, requests[0].warnings], [3001, 3001]);
    assert.ok(findings.some(({ more }) => more === 2901));
    assert.ok(findings.every(({ code, repair }) => repair >= 0 || code !== 'parts.empty'));
  });

  test('of an array of Contents have paths in it', () => {
    const analysis = analyze(checker, `\ufeff${JSON.stringify(broken.contents)}`, options);
    assert.equal(analysis.form, 'contents');
    checkPlaces(analysis);
    assert.ok(analysis.findings.some(({ path }) => path === '/1/role'));
  });

  test('of an array of steps are those of the Interactions API', () => {
    const steps = [{ type: 'user_input', content: [{ type: 'text', text: '' }] }];
    const analysis = analyze(checker, JSON.stringify(steps), options);
    checkPlaces(analysis);
    const found = analysis.findings.map(({ code, path }) => `${code} ${path}`);
    assert.deepEqual(found, ['step.text_empty /0/content/0/text']);
    assert.match(textWords(analysis), /^Steps/);
  });

  test('say why, in whose words, and how that is known', () => {
    const { findings } = analyze(checker, JSON.stringify(broken), options);
    const found = findings.find(({ code }) => code === 'role.invalid');
    assert.match(found.why, /Gemini API/);
    assert.match(found.google[0], /valid role/);
    assert.ok(['documented', 'recorded', 'reported'].includes(found.evidence));
    assert.ok(found.repair >= 0);
  });

  test('are at the error in what is not JSON', () => {
    for (const [text, form, at] of [
      ['{"contents": [é}', 'body', 14],
      ['Hello', 'text', 0],
      ['{"contents": []} x', 'body', 17],
    ]) {
      const analysis = analyze(checker, text, options);
      assert.deepEqual(codesOf(analysis.findings), ['json.invalid']);
      assert.deepEqual([analysis.form, analysis.findings[0].from, analysis.ok], [form, at, false]);
      assert.equal(analysis.timeline, undefined);
    }
    const { form, ok, findings } = analyze(checker, ' \n', options);
    assert.deepEqual([form, ok, findings], ['empty', false, []]);
  });

  test('of OpenAI messages are at the messages, which become a Gemini request', () => {
    const messages = [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'rain' },
    ];
    for (const text of [JSON.stringify(messages), JSON.stringify({ messages })]) {
      const analysis = analyze(checker, text, options);
      assert.deepEqual(
        [analysis.form, codesOf(analysis.findings)],
        ['openai', ['signature.missing']],
      );
      const [{ from, to }] = analysis.findings;
      assert.deepEqual(JSON.parse(text.slice(from, to)), messages[1]);
      assert.equal(JSON.parse(analysis.converted).contents.length, 3);
      assert.deepEqual(
        analysis.timeline.turns.map((turn) => JSON.parse(text.slice(turn.from, turn.to))),
        messages,
      );
    }
  });

  test('follow the model and the service of the request', () => {
    const text = `curl ${url} -d '{}'`;
    const given = { ...options, model: 'gemini-2.5-pro', backend: 'vertex' };
    const [{ model: own, backend }] = analyze(checker, text, given).requests;
    assert.deepEqual([own, backend], [model, 'gemini']);
    const [other] = analyze(checker, '{"contents":[]}', given).requests;
    assert.deepEqual([other.model, other.backend], ['gemini-2.5-pro', 'vertex']);
  });

  test('credentials never leave the engine', () => {
    const key = 'AIzaSyCommand-test-key_0123456789abcdef';
    const analysis = analyze(
      checker,
      `curl '${url}?key=${key}' -d '{"contents":"${key}"}'`,
      options,
    );
    assert.equal(analysis.removedSecrets, 2);
    assert.ok(!JSON.stringify(analysis).includes(key));
  });
});

// What a request lacks that ends with a model's Content. A history that ends there is still open.
const endCodes = ['call.open', 'turn.ends_with_model'];

/** Returns what lint says about each prefix of a body's Contents. */
function refusedPrefixes({ contents, ...body }, given) {
  return contents.map((_, last) => {
    const prefix = { ...body, contents: contents.slice(0, last + 1) };
    // The model's Contents at the end, which may be chunks of one answer.
    const end = prefix.contents.findLastIndex(({ role }) => role !== 'model') + 1;
    const isEnd = ({ code, path }) => endCodes.includes(code) && Number(path.split('/')[2]) >= end;
    const found = checker.lint(prefix, given).diagnostics.filter(isError);
    // A finding about `contents` as a whole is about the request.
    return found.some((one) => one.path.startsWith('/contents/') && !isEnd(one));
  });
}

describe('the timeline', () => {
  const timelineOf = (contents, given = options) =>
    analyze(checker, JSON.stringify({ contents }), given).timeline;

  const cutPointsOf = (turns) =>
    turns.filter(({ canCutBefore }) => canCutBefore).map(({ index }) => index);

  test('has turns, steps, verdicts, pairs and split points', () => {
    const contents = [
      user({ text: 'One' }),
      modelTurn({ text: 'Hm', thought: true }, call('f', signed), call('g')),
      user(result('f'), result('g')),
      modelTurn(call('f', signed)),
      user(result('f')),
      modelTurn({ text: 'Done' }),
      user({ text: 'Two' }),
      modelTurn(call('f')),
      user(result('f')),
      modelTurn({ text: 'Done again' }),
      user({ text: 'Three' }),
    ];
    const { turns, firstRefused } = timelineOf(contents);
    assert.deepEqual(
      turns.map(({ kind, turn, step, verdict }) => `${kind} ${turn}.${step} ${verdict}`),
      [
        'user 0.0 accepted',
        'model 0.0 open',
        'tool 0.0 accepted',
        'model 0.1 open',
        'tool 0.1 accepted',
        'model 0.2 open',
        'user 1.0 accepted',
        'model 1.0 refused',
        'tool 1.0 refused',
        'model 1.1 refused',
        // The missing signature belongs to a turn that is over.
        'user 2.0 accepted',
      ],
    );
    assert.deepEqual(cutPointsOf(turns), [6, 10]);
    assert.equal(firstRefused, 7);
    assert.deepEqual(turns[8].refusedBy, ['signature.missing']);
    const [, step] = turns;
    assert.deepEqual([step.parts, step.thoughts, step.signatures], [3, 1, 1]);
    assert.deepEqual(
      step.calls.map(({ name, signed: has, response }) => [name, has, response]),
      [
        ['f', true, { index: 2, part: 0 }],
        ['g', false, { index: 2, part: 1 }],
      ],
    );
    assert.deepEqual(turns[4].responses[0].call, { index: 3, part: 0 });
    assert.deepEqual(turns.map(({ isCurrentTurn }) => isCurrentTurn).lastIndexOf(false), 9);
  });

  test('agrees with lint about every prefix of the examples', () => {
    let prefixes = 0;
    for (const { kind, options: own, failing, fixed } of examples) {
      if (kind !== 'body' || isText(failing)) continue;
      const given = givenBy(own);
      for (const body of [inputOf(failing), inputOf(fixed)]) {
        if (!Array.isArray(body.contents) || body.contents.length === 0) continue;
        if (JSON.stringify(body).length > 100_000) continue;
        const { turns } = timelineOf(body.contents, given);
        const refused = turns.map(({ verdict }) => verdict === 'refused');
        assert.deepEqual(
          refused,
          refusedPrefixes({ contents: body.contents }, given),
          JSON.stringify(body),
        );
        prefixes += refused.length;
      }
    }
    assert.ok(prefixes > 200, `${prefixes}`);
  });

  test('has the split points of the core between turns', () => {
    const contents = Array.from({ length: 12 }, (_, i) => [
      user({ text: `${i}` }),
      ...(i % 3 === 0 ? [modelTurn(call('f', signed)), user(result('f'))] : []),
      modelTurn({ text: 'ok' }),
    ]).flat();
    const cutPoints = cutPointsOf(timelineOf(contents).turns);
    const thread = strata.thread({ ...options, from: contents });
    for (let percent = 1; percent < 100; percent++) {
      const { turns, opening } = thread.compressionCut(percent / 100);
      if (turns > 0 && opening === -1) assert.ok(cutPoints.includes(turns), `${turns}`);
    }
    assert.equal(cutPoints.length, 11);
  });

  test('is one question to the core, and says how many Contents it leaves out', () => {
    const contents = Array.from({ length: 10_001 }, (_, i) => [
      user({ text: `${i}` }),
      modelTurn({ text: 'ok' }),
    ]).flat();
    let asked = 0;
    const counting = {
      lint: (...given) => checker.lint(...given),
      repair: (...given) => checker.repair(...given),
      modelLimits: (...given) => strata.modelLimits(...given),
      timeline: (...given) => ((asked += 1), checker.timeline(...given)),
    };
    const { timeline } = analyze(counting, JSON.stringify({ contents }), options);
    assert.deepEqual([asked, timeline.turns.length, timeline.omitted], [1, 20_000, 2]);
    assert.equal(cutPointsOf(timeline.turns).length, 9999);
  });
});

describe('repair', () => {
  for (const [form, { write, read }] of Object.entries(forms)) {
    test(`changes the text where the request is written, in the form ${form}`, () => {
      const given = JSON.stringify(broken, null, form === 'jsonl' ? 0 : 2);
      const { text, repairs, canRepairAll } = analyze(checker, write(given), options);
      assert.equal(canRepairAll, true);
      const repaired = repairedText(text, repairs);
      const again = analyze(checker, repaired, options);
      assert.equal(again.ok, true, codesOf(again.findings).join());
      const expected = checker.repair(given, { ...options, dummySignatures: true });
      for (const { from, to } of again.requests) {
        const body = read(repaired.slice(from, to)).trim();
        // Only spaces differ: what is inserted is laid out as its neighbours.
        assert.deepEqual(JSON.parse(body), JSON.parse(new TextDecoder().decode(expected.body)));
      }
      assert.deepEqual([...new Set(repairs.flatMap(({ codes }) => codes))].sort(), [
        'call.order',
        'response.not_object',
        'response.orphan',
        'role.invalid',
      ]);
    });
  }

  // The request of fault F1 in the reading of the playground: ten fragments for two findings.
  const split = [
    user({ text: 'Q0' }),
    modelTurn(call('get_weather', signed)),
    { role: 'assistant', parts: [{ text: 'Answer 0' }] },
    user({ text: 'final' }),
  ];

  test('is one row in words of its place, laid out like its neighbours', () => {
    const given = JSON.stringify({ contents: split }, null, 2);
    const analysis = analyze(checker, given, options);
    assert.deepEqual(
      analysis.repairs.map(({ words }) => words.offer),
      ['Join the Content to the one before it and add an error result for get_weather'],
    );
    const repaired = repairedText(analysis.text, analysis.repairs);
    assert.equal(repaired, JSON.stringify(JSON.parse(repaired), null, 2));
    assert.equal(verdictOf(analysis).title, 'Google answers 400 to this request');
    assert.equal(
      verdictOf(analyze(checker, repaired, options)).title,
      'No rule refuses this request',
    );
  });

  test('is taken back one by one in any order, and with what was typed since', () => {
    const { text, repairs } = analyze(
      checker,
      JSON.stringify({ contents: split }, null, 2),
      options,
    );
    for (const index of repairs.keys()) {
      const made = madeRepairs(text, repairs);
      const { inverse } = made[index];
      const others = repairs.filter((_, i) => i !== index);
      const repaired = repairedText(text, repairs);
      const left = edited(repaired, inverse);
      assert.equal(left, repairedText(text, others));
      const rest = followRepairs(
        made.filter((_, i) => i !== index),
        inverse,
      );
      assert.equal(
        edited(
          left,
          rest.flatMap((one) => one.inverse),
        ),
        text,
      );
      const typed = { from: 0, to: 0, text: '\n\n' };
      const [moved] = followRepairs([made[index]], [typed]);
      assert.equal(edited(edited(repaired, [typed]), moved.inverse), `\n\n${left}`);
      const [{ from, to }] = inverse;
      assert.deepEqual(followRepairs([made[index]], [{ from: from + 1, to, text: '' }]), []);
    }
  });

  test('of one finding leaves the others', () => {
    const { text, findings, repairs } = analyze(checker, JSON.stringify(broken), options);
    const { repair } = findings.find(({ code }) => code === 'response.not_object');
    assert.deepEqual(repairs[repair].codes, ['response.not_object']);
    const again = analyze(checker, repairedText(text, [repairs[repair]]), options);
    assert.ok(!codesOf(again.findings).includes('response.not_object'));
    assert.ok(codesOf(again.findings).includes('role.invalid'));
  });

  for (const example of examples) {
    const { code, kind, options: own = {}, failing } = example;
    // A body over the limit has more than a hundred million characters.
    if (kind !== 'body' || isText(failing) || code === 'size.too_large') continue;
    test(`of the example of ${code}: each repair alone`, () => {
      const text = JSON.stringify(inputOf(failing), null, 1);
      const given = givenBy(own);
      const analysis = analyze(checker, text, given);
      assert.ok(codesOf(analysis.findings).includes(code), codesOf(analysis.findings).join());
      checkPlaces(analysis);
      const before = analysis.findings.filter(isError).length;
      for (const [index, repair] of analysis.repairs.entries()) {
        const repaired = analysis.findings.filter(
          (found) => isError(found) && found.repair === index,
        );
        assert.ok(repair.codes.length > 0 && / /.test(repair.words.offer));
        const { findings } = analyze(checker, repairedText(text, [repair]), given);
        const after = findings.filter(isError).length;
        assert.ok(repaired.length === 0 || after < before, repair.codes.join());
      }
    });
  }
});

test(
  'recorded requests: no errors, places that fit, and prefixes as lint judges them',
  { skip },
  () => {
    const accepted = exchanges.filter(
      (exchange) =>
        exchange.status === 200 &&
        requestOf(exchange) &&
        !/^gemini-(1|pro)/.test(exchange.model ?? ''),
    );
    assert.ok(accepted.length > 1900);
    let prefixes = 0;
    for (const exchange of accepted) {
      const given = {
        model: servedAs(exchange),
        backend: exchange.backend,
        now: judgedAt(exchange),
      };
      const analysis = analyze(checker, exchange.request, given);
      assert.deepEqual(analysis.findings.filter(isError), [], exchange.id);
      const body = requestOf(exchange);
      if (analysis.removedSecrets === 0 && analysis.form === 'body') {
        const inner = body.generateContentRequest ?? body;
        checkPlaces(analysis, inner);
        const { turns = [] } = analysis.timeline ?? {};
        for (const { index, from, to } of turns) {
          assert.deepEqual(JSON.parse(analysis.text.slice(from, to)), inner.contents[index]);
        }
        if (turns.length > 1) {
          const refused = turns.map(({ verdict }) => verdict === 'refused');
          assert.deepEqual(refused, refusedPrefixes(inner, given), exchange.id);
          prefixes += turns.length;
        }
      }
    }
    assert.ok(prefixes > 1000, `${prefixes}`);
  },
);

describe('the client of a worker', () => {
  /** Returns a client whose workers answer when the test says so. */
  function clientWith() {
    const workers = [];
    const more = [];
    const start = () => {
      const worker = {
        calls: [],
        ended: false,
        postMessage: (message) => worker.calls.push(message),
        terminate: () => (worker.ended = true),
        send: (id, reply) => worker.onmessage({ data: { id, ...reply } }),
      };
      workers.push(worker);
      return worker;
    };
    const client = new WorkerClient({
      ...{ start, limitMs: 20, slow: 'It takes too long.', onMore: (one) => more.push(one) },
    });
    return { client, workers, more };
  }

  test('asks one question at a time, and of those that wait only the newest', async () => {
    const { client, workers } = clientWith();
    const answers = ['a', 'b', 'c'].map((question) => client.ask(question));
    const asked = () => workers[0].calls.map(({ question }) => question);
    assert.deepEqual(asked(), ['a']);
    workers[0].send(1, { answer: 'A' });
    assert.deepEqual(asked(), ['a', 'c']);
    workers[0].send(2, { answer: 'C' });
    assert.deepEqual(await Promise.all(answers), [undefined, undefined, 'C']);
    assert.equal(workers.length, 1);
  });

  test('receives what follows the newest answer, and nothing of older ones', async () => {
    const { client, workers, more } = clientWith();
    const first = client.ask('a');
    workers[0].send(1, { answer: 'A' });
    await first;
    workers[0].send(1, { more: 'of a' });
    const second = client.ask('b');
    workers[0].send(1, { more: 'late' });
    workers[0].send(2, { answer: 'B' });
    await second;
    assert.deepEqual(more, ['of a']);
  });

  test('starts another worker after a trap, and not after other failures', async () => {
    const { client, workers } = clientWith();
    const failed = client.ask('a');
    workers[0].send(1, { code: 'field.invalid', message: 'no', isFatal: false });
    await assert.rejects(failed, { code: 'field.invalid', message: 'no' });
    assert.equal(workers[0].ended, false);
    const trapped = client.ask('b');
    const next = client.ask('c');
    workers[0].send(2, { code: 'instance.out_of_memory', message: 'x', isFatal: true });
    await assert.rejects(trapped, { code: 'instance.out_of_memory' });
    assert.equal(workers[0].ended, true);
    workers[1].send(3, { answer: 'C' });
    assert.equal(await next, 'C');
  });

  test('ends a worker that takes too long', async () => {
    const { client, workers } = clientWith();
    await assert.rejects(client.ask('a'), { code: 'timeout', message: 'It takes too long.' });
    assert.equal(workers[0].ended, true);
  });
});
