// npm run demo: runs one conversation with the emulator in the terminal. It prints the four layers of each
// request, the streamed answers, a tool call, its signature, and the lint findings without the signature.
import { readOptions } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { main } from './setup/run.mjs';
import {
  Paragraph,
  bold,
  cyan,
  dim,
  green,
  heading,
  paragraph,
  red,
  shorten,
  width,
  yellow,
} from './terminal.mjs';

await main(() => readOptions('Usage: npm run demo'));
await prepare('package');
const { Conversation, GeminiClient, createEmulator, load } = await import('prompt-strata');

const model = 'gemini-3.8-flash';
const questions = ['What is the weather in Oslo?', 'And the weather in Bergen?'];
const strata = await load();
const number = (value) => value.toLocaleString('en-US');
const parse = (body) => JSON.parse(new TextDecoder().decode(body));

const weather = {
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: {
    type: 'OBJECT',
    properties: { city: { type: 'STRING' } },
    required: ['city'],
  },
  run: ({ city }) => ({ city, celsius: 4, sky: 'rain', source: 'invented for this demo' }),
};

const chat = new Conversation(
  strata,
  new GeminiClient({
    fetch: createEmulator({ delayMs: process.stdout.isTTY ? 40 : 0, checkSignatures: true }),
  }),
  {
    model,
    tools: [weather],
    static: { variables: { main_instruction: 'Answer in one sentence.', roles: ['weather desk'] } },
    dynamic: { variables: { todos: [{ title: 'Pack for "Bergen"', checked: false }] } },
  },
);

/** Returns JSON with spaces, so that lines can wrap. */
const spaced = (value) => JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');

function partText({ text, functionCall, functionResponse }) {
  if (functionCall) return `calls ${functionCall.name} ${spaced(functionCall.args)}`;
  return functionResponse ? `result ${spaced(functionResponse.response)}` : text;
}

/** Returns the text of each layer of a body. */
function layerTexts(body) {
  const { systemInstruction, contents } = parse(body);
  const textOf = (content) => content?.parts.map(partText).join(' ') ?? '';
  const [dynamic, ...history] = contents;
  const trigger = history.pop();
  return {
    static: textOf(systemInstruction),
    dynamic: textOf(dynamic),
    buffered: history.map((content) => `${content.role}: ${textOf(content)}`).join(' '),
    trigger: textOf(trigger),
  };
}

// A narrow terminal has room for the numbers only.
const hasExcerpts = width >= 60;

function showLayer(name, bytes, tokens, text) {
  const figures = `${number(bytes).padStart(7)}${tokens.padStart(8)}`;
  const excerpt = hasExcerpts ? `  ${dim(shorten(text, width - 34))}` : '';
  console.log(`  ${cyan(name.padEnd(14))}${figures}${excerpt}`);
}

function showLayers(manifest, body) {
  const texts = layerTexts(body);
  console.log(dim(`  layer           bytes  tokens${hasExcerpts ? '  content' : ''}`));
  for (const { layer, bytes, tokens } of manifest.layers) {
    showLayer(layer, bytes, number(tokens), bytes > 0 ? texts[layer] : '');
  }
  const tools = JSON.stringify(parse(body).tools);
  showLayer('(tools)', tools.length, '', tools);
}

let requests = 0;

function showRequest({ manifest, body }) {
  heading(`request ${++requests}`, `${number(body.length)} bytes to ${model}`);
  showLayers(manifest, body);
  showFact('stable prefix', prefixOf(manifest, body));
  const { ok, diagnostics } = strata.lint(body, { model });
  const others = diagnostics.filter(({ severity }) => severity !== 'error').length;
  const verdict = ok ? 'no errors' : 'the API would reject it';
  showFact(
    'lint',
    others > 0 ? `${verdict}; other findings: ${others}` : verdict,
    ok ? green : red,
  );
  const signed = signaturesIn(body);
  if (signed.length > 0) showSignatures(signed);
  console.log();
}

const showFact = (name, text, paint) => paragraph(`  ${name.padEnd(16)}`, text, paint);

function prefixOf({ stablePrefixBytes }, body) {
  if (requests === 1) return 'none: this is the first request';
  const share = Math.round((100 * stablePrefixBytes) / body.length);
  return `${number(stablePrefixBytes)} bytes (${share} %), up to the timestamp in the dynamic layer`;
}

const received = new Set();

function signaturesIn(content) {
  const found = new TextDecoder().decode(content).matchAll(/"thoughtSignature":\s*"([^"]*)"/g);
  return [...found].map(([, signature]) => signature);
}

function showSignatures(signatures) {
  const same = signatures.every((signature) => received.has(signature));
  const state = same ? 'byte for byte' : 'changed';
  showFact('signatures', `${signatures.length} sent back, ${state}`, same ? green : red);
}

function showTurn({ content }) {
  for (const signature of signaturesIn(content)) {
    received.add(signature);
    const start = `${signature.slice(0, 24)}…`;
    paragraph('        ', `signed ${start} ${signature.length} bytes, stored unchanged`, dim);
  }
}

/** Sends a question and prints the events. Returns the body of the last request. */
async function ask(question) {
  heading('you');
  paragraph('', question);
  let answer;
  let lastRequest;
  for await (const event of chat.send(question)) {
    if (event.type === 'text') (answer ??= new Paragraph('model   ')).write(event.text);
    if (event.type === 'turn' && answer) answer = answer.end();
    if (event.type === 'request') showRequest((lastRequest = event));
    if (event.type === 'functionCall') showPair('model', `calls ${event.name}`, event.args);
    if (event.type === 'toolResult') showPair('tool', event.call.name, event.response);
    if (event.type === 'turn') showTurn(event);
  }
  return lastRequest.body;
}

function showPair(label, name, value) {
  paragraph(label.padEnd(8), `${name} ${spaced(value)}`, yellow);
}

/** Returns the request as a client that drops signatures would send it. */
function withoutSignatures(body) {
  const drop = (key, value) => (key === 'thoughtSignature' ? undefined : value);
  return JSON.stringify(parse(body), drop);
}

function showMissingSignature(body) {
  heading('without the signature', 'found before sending');
  const { diagnostics } = strata.lint(withoutSignatures(body), { model });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  for (const { code, path, message, upstream } of errors) {
    paragraph('  ', `${code} at ${path}`, (word) => bold(red(word)));
    paragraph('  ', message);
    if (upstream) paragraph('  Google answers: ', upstream, dim);
  }
}

console.log(bold(`prompt-strata ${strata.version}`));
paragraph(
  '',
  'The emulator answers: no network, no API key, no cost. Its answers are invented.',
  dim,
);
let last;
for (const question of questions) last = await ask(question);
showMissingSignature(last);
const { length, tokens } = chat.thread;
console.log();
paragraph('', `${number(length)} turns, about ${number(tokens)} tokens. Next: npm start`);
