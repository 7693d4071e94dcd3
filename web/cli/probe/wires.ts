// Asks on the Interactions API what no public recording shows: what it does with signed histories that a client keeps.
// The questions are built of real answers, because only those have signatures.
import type { Checker, ServiceOptions, Wire } from '../../check/index.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { placeholderSignature } from '../../sdk/internal/placeholder-signature.js';
import { predict } from './plan.js';
import type { ProbeRequest } from './verdict.js';

type Json = { [field: string]: unknown };

/** The models that are asked unless others are named: the newest of two generations. */
export const wireModels = ['gemini-3.8-flash', 'gemini-4-argon'];

/** A question to one model. Its request exists once the answers that it is built of are there. */
export interface WireProbe {
  name: string;
  model: string;
  /** What is asked. */
  asks: string;
  request?: ProbeRequest;
  /** Why it could not be asked. */
  reason?: string;
}

/** What the questions are built of: the answers of one model with calls, on each API. */
interface Answers {
  steps: Json[];
  contents: Json[];
}

interface Question {
  name: string;
  asks: string;
  wire: Wire;
  /** Whose answer it is built of. */
  from: Wire;
  history: (answers: Answers, convert: Converter) => Json[];
}

type Converter = (history: Json[], to: Wire) => Json[];

const text = 'How is the weather in Paris and in Rome? Call get_weather once for each city.';
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};
const declaration = {
  name: 'get_weather',
  description: 'Returns the weather of one city.',
  parameters,
};
const sky = { sky: 'clear' };
const userStep = { type: 'user_input', content: [{ type: 'text', text }] };
const userContent = { role: 'user', parts: [{ text }] };

// An answer with two calls and its thoughts fits; of the answers to the questions, only the status is read.
const sourceTokens = 1024;
const questionTokens = 16;

const isCall = (step: Json) => step['type'] === 'function_call';
const resultOf = ({ id, name }: Json): Json => ({
  type: 'function_result',
  call_id: id,
  name,
  result: sky,
});

// Returns the history in which an answer's first two calls stand with results as `order` says. Ids of calls may change,
// signatures may not.
const twoCalls =
  (order: (first: Json, second: Json) => Json[]) =>
  ({ steps }: Answers): Json[] => {
    const [first = {}, second = { ...first, id: `${String(first['id'])}2` }] = steps.filter(isCall);
    return [userStep, ...steps.filter((step) => !isCall(step)), ...order(first, second)];
  };

const answered = ({ steps }: Answers): Json[] => [
  userStep,
  ...steps,
  ...steps.filter(isCall).map(resultOf),
];

function answeredContents({ contents }: Answers): Json[] {
  const calls = contents.flatMap(({ parts }) =>
    (parts as Json[]).flatMap(({ functionCall }) => functionCall ?? []),
  );
  const parts = (calls as Json[]).map(({ id, name }) => ({
    functionResponse: { ...(id === undefined ? {} : { id }), name, response: sky },
  }));
  return [userContent, ...contents, { role: 'user', parts }];
}

const withSignature = (steps: Json[], signature: string): Json[] =>
  steps.map((step) => (step['type'] === 'thought' ? { ...step, signature } : step));

const questions: Question[] = [
  {
    name: 'tool_loop',
    asks: 'the steps of an answer as they came, and the results of its calls, without a stored interaction',
    wire: 'interactions',
    from: 'interactions',
    history: answered,
  },
  {
    name: 'signature_from_generateContent',
    asks: 'a thoughtSignature of generateContent in a thought step',
    wire: 'interactions',
    from: 'generateContent',
    history: (answers, convert) => convert(answeredContents(answers), 'interactions'),
  },
  {
    name: 'signature_to_generateContent',
    asks: 'the signature of a thought step as thoughtSignature of the call behind it',
    wire: 'generateContent',
    from: 'interactions',
    history: (answers, convert) => convert(answered(answers), 'generateContent'),
  },
  {
    name: 'placeholder',
    asks: `the placeholder ${placeholderSignature} in place of each signature`,
    wire: 'interactions',
    from: 'interactions',
    history: (answers) => withSignature(answered(answers), placeholderSignature),
  },
  {
    name: 'no_thought',
    asks: 'calls without the thought before them',
    wire: 'interactions',
    from: 'interactions',
    history: (answers) => answered(answers).filter(({ type }) => type !== 'thought'),
  },
  {
    name: 'two_results',
    asks: 'two calls, then their two results',
    wire: 'interactions',
    from: 'interactions',
    history: twoCalls((first, second) => [first, second, resultOf(first), resultOf(second)]),
  },
  {
    name: 'interleaved',
    asks: 'call, result, call, result',
    wire: 'interactions',
    from: 'interactions',
    history: twoCalls((first, second) => [first, resultOf(first), second, resultOf(second)]),
  },
  {
    name: 'results_first',
    asks: 'the results before their calls',
    wire: 'interactions',
    from: 'interactions',
    history: twoCalls((first, second) => [resultOf(first), resultOf(second), first, second]),
  },
  {
    name: 'missing_result',
    asks: 'two calls, and the result of the first alone',
    wire: 'interactions',
    from: 'interactions',
    history: twoCalls((first, second) => [first, second, resultOf(first)]),
  },
];

function bodyOf(
  wire: Wire,
  model: string,
  history: Json[],
  tokens: number,
  forced = false,
): string {
  if (wire === 'generateContent') {
    return JSON.stringify({
      contents: history,
      tools: [{ functionDeclarations: [declaration] }],
      ...(forced && { toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
      generationConfig: { maxOutputTokens: tokens },
    });
  }
  return JSON.stringify({
    model,
    store: false,
    tools: [{ type: 'function', ...declaration }],
    generation_config: { max_output_tokens: tokens, ...(forced && { tool_choice: 'any' }) },
    input: history,
  });
}

/** What a probe of the Interactions API sends. */
export class WirePlan {
  readonly probes: WireProbe[];
  /** Every request that was sent. */
  readonly requests: ProbeRequest[] = [];
  readonly models: readonly string[];
  readonly #checker: Checker;
  readonly #service: ServiceOptions;

  constructor(checker: Checker, models: readonly string[], service: ServiceOptions) {
    this.#checker = checker;
    this.#service = service;
    this.models = models.length > 0 ? models : wireModels;
    this.probes = this.models.flatMap((model) =>
      questions.map(({ name, asks }) => ({ name, model, asks })),
    );
  }

  /** At most how many requests are sent. */
  get count(): number {
    return this.probes.length + this.models.length * 2;
  }

  /** Returns what they may use: each source answers with all its tokens, and each question repeats them. */
  estimate(): { model: string; answer: object }[] {
    return this.models.map((model) => {
      const sourceInput = Math.ceil(this.#source('interactions', model).body.length / 4);
      return {
        model,
        answer: {
          promptTokenCount: sourceInput * (questions.length + 2) + sourceTokens * questions.length,
          candidatesTokenCount: sourceTokens * 2 + questionTokens * questions.length,
        },
      };
    });
  }

  /** Sends all requests of one model, and calls `onAsked` after each question. */
  async ask(
    model: string,
    send: (request: ProbeRequest) => Promise<unknown>,
    onAsked: (probe: WireProbe) => void,
  ): Promise<void> {
    const answers: Answers = { steps: [], contents: [] };
    const reasons = new Map<Wire, string | undefined>();
    for (const wire of ['interactions', 'generateContent'] as const) {
      const request = this.#source(wire, model);
      this.requests.push(request);
      reasons.set(wire, take(wire, await send(request), request, answers));
    }
    for (const probe of this.probes.filter((each) => each.model === model)) {
      const question = questions.find(({ name }) => name === probe.name);
      if (!question) continue;
      const reason = reasons.get(question.from);
      if (reason !== undefined) probe.reason = reason;
      else {
        probe.request = this.#question(question, model, answers);
        this.requests.push(probe.request);
        await send(probe.request);
      }
      onAsked(probe);
    }
  }

  #source(wire: Wire, model: string): ProbeRequest {
    const history = [wire === 'interactions' ? userStep : userContent];
    return this.#request(wire, model, bodyOf(wire, model, history, sourceTokens, true));
  }

  #question({ wire, history }: Question, model: string, answers: Answers): ProbeRequest {
    const convert: Converter = (given, to) => {
      const { body } = this.#checker.convert(given, { to, model });
      return JSON.parse(decodeUtf8(body)) as Json[];
    };
    return this.#request(
      wire,
      model,
      bodyOf(wire, model, history(answers, convert), questionTokens),
    );
  }

  #request(wire: Wire, model: string, source: string): ProbeRequest {
    const body = new TextEncoder().encode(source);
    const predicted = predict(this.#checker, body, model, this.#service, wire);
    return { model, source, body, predicted, wire };
  }
}

/** Takes an answer with calls; returns why it is none. */
function take(
  wire: Wire,
  answer: unknown,
  { outcome }: ProbeRequest,
  answers: Answers,
): string | undefined {
  if (outcome?.taken !== 'accepted')
    return `The request for an answer with calls failed (${outcome?.status}): ${outcome?.message}`;
  const { steps = [], candidates = [] } = Object(answer) as { steps?: Json[]; candidates?: Json[] };
  if (wire === 'interactions') answers.steps = steps;
  else answers.contents = candidates.flatMap(({ content }) => (content ? [content as Json] : []));
  const text = JSON.stringify(wire === 'interactions' ? steps : answers.contents);
  const hasCalls = /"function_?call"/i.test(text);
  return hasCalls ? undefined : 'The model called no function.';
}
