// npm run demo: one conversation in the terminal, against the emulator: the four layers of each request,
// the answer as it streams, a tool call, its signature on the way back, and what lint says without it.
import { prepare } from './setup/prepare.mjs';
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

await prepare('package');
const { Conversation, GeminiClient, createEmulator, load } = await import('prompt-strata');

const model = 'gemini-3.8-flash';
const questions = ['What is the weather in Oslo?', 'And the weather in Bergen?'];
const strata = await load();
const number = (value) => value.toLocaleString('en-US');

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
  new GeminiClient({ fetch: createEmulator({ delayMs: 15, checkSignatures: true }) }),
  {
    model,
    tools: [weather],
    static: { variables: { main_instruction: 'Answer in one sentence.', roles: ['weather desk'] } },
    dynamic: { variables: { todos: [{ title: 'Pack for "Bergen"', checked: false }] } },
  },
);

/** What stands in each layer of a body, as text. */
function layerTexts(body) {
  const { systemInstruction, contents } = JSON.parse(new TextDecoder().decode(body));
  const textOf = (content) =>
    content?.parts.map((part) => part.text ?? Object.keys(part)[0]).join(' ') ?? '';
  const [dynamic, ...history] = contents;
  const trigger = history.pop();
  const buffered = history.map((content) => `${content.role}: ${textOf(content)}`).join(' · ');
  return {
    static: textOf(systemInstruction),
    dynamic: textOf(dynamic),
    buffered,
    trigger: textOf(trigger),
  };
}

function showLayers(manifest, body) {
  const texts = layerTexts(body);
  console.log(dim(`  ${'layer'.padEnd(10)}${'bytes'.padStart(8)}${'tokens'.padStart(8)}  text`));
  for (const { layer, bytes, tokens } of manifest.layers) {
    const figures = `${number(bytes).padStart(8)}${number(tokens).padStart(8)}`;
    const text = bytes > 0 ? shorten(texts[layer], width - 30) : '';
    console.log(`  ${cyan(layer.padEnd(10))}${figures}  ${dim(text)}`);
  }
}

let requests = 0;

function showRequest({ manifest, body }) {
  heading(`request ${++requests}`, `${number(body.length)} bytes to ${model}`);
  showLayers(manifest, body);
  const shared = manifest.stablePrefixBytes;
  const share = Math.round((100 * shared) / body.length);
  const prefix =
    requests === 1 ? 'nothing yet to compare with' : `${number(shared)} bytes, ${share} %`;
  console.log(`  same as before  ${prefix}`);
  const { ok, diagnostics } = strata.lint(body, { model });
  const verdict = ok ? green('accepted') : red('refused');
  console.log(`  lint            ${verdict}, ${diagnostics.length} findings`);
  const signed = signaturesIn(body);
  if (signed.length > 0) console.log(`  signatures      ${signed.length} back, ${compare(signed)}`);
  console.log();
}

const received = new Set();

function signaturesIn(content) {
  const found = new TextDecoder().decode(content).matchAll(/"thoughtSignature":\s*"([^"]*)"/g);
  return [...found].map(([, signature]) => signature);
}

function compare(signatures) {
  const same = signatures.every((signature) => received.has(signature));
  return same ? green('byte for byte as they came') : red('changed');
}

function showTurn({ content }) {
  for (const signature of signaturesIn(content)) {
    received.add(signature);
    const note = `${signature.slice(0, 24)}…  ${signature.length} bytes, kept as they came`;
    console.log(`${' '.repeat(8)}${dim(`signed ${note}`)}`);
  }
}

/** One question and all that follows, each event as a line or a piece of one. */
async function ask(question) {
  heading('you');
  paragraph('', question);
  let answer;
  let lastRequest;
  for await (const event of chat.send(question)) {
    if (event.type === 'text') (answer ??= new Paragraph('model   ')).write(event.text);
    if (event.type === 'turn' && answer) answer = answer.end();
    if (event.type === 'request') showRequest((lastRequest = event));
    if (event.type === 'toolCall') showPair('call', event.call.name, event.call.args);
    if (event.type === 'toolResult') showPair('result', event.call.name, event.response);
    if (event.type === 'turn') showTurn(event);
  }
  return lastRequest.body;
}

function showPair(label, name, value) {
  paragraph(label.padEnd(8), `${name} ${JSON.stringify(value)}`, yellow);
}

/** The same request as a client would send it that keeps text only. */
function withoutSignatures(body) {
  const drop = (key, value) => (key === 'thoughtSignature' ? undefined : value);
  return JSON.stringify(JSON.parse(new TextDecoder().decode(body), drop));
}

function showRefusal(body) {
  heading('without the signature', 'found before anything is sent');
  const { diagnostics } = strata.lint(withoutSignatures(body), { model });
  for (const { code, severity, path, message, upstream } of diagnostics) {
    console.log(`  ${bold(severity === 'error' ? red(code) : yellow(code))} at ${cyan(path)}`);
    paragraph('  ', message);
    if (upstream) paragraph('  Google answers: ', upstream, dim);
  }
}

console.log(bold(`prompt-strata ${strata.version}`));
console.log(dim('The emulator answers: no network, no key, no cost. Its words are invented.'));
let last;
for (const question of questions) last = await ask(question);
showRefusal(last);
console.log(
  `\n${number(chat.thread.length)} turns, about ${number(chat.thread.tokens)} tokens. Next: npm start`,
);
