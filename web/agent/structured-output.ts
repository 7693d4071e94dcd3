// Requests an answer that is JSON of a schema, and asks once more if it does not match.
import { bytesOf } from '../sdk/internal/bytes.js';
import { textContent } from '../sdk/internal/content.js';
import { decodeDocument } from '../sdk/internal/utf8.js';
import { messageOf } from '../sdk/internal/error-message.js';
import { ObjectError } from '../sdk/internal/errors.js';
import {
  changesOf,
  issuesText,
  answerSchemaOf,
  validate,
  type FitSchema,
  type Validated,
} from '../sdk/chat/tools/schema.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import type { JsonInput } from '../sdk/types/json.js';
import type { SchemaLike } from '../sdk/types/json-schema.js';
import type { AnswerSummary } from '../sdk/types/core-response.js';
import type { SchemaIssue } from '../sdk/types/tool.js';
import type { ConversationOptions } from '../sdk/chat/options.js';
import type { SendContext } from '../sdk/chat/send-request.js';
import type { Spending } from '../sdk/chat/spending.js';
import type { TotalUsage } from '../sdk/types/usage.js';

// Fields of generationConfig that this file sets, in both spellings, and `responseSchema`.
const ownFields = /^response_?(mime_?type|(json_?)?schema)$/i;

function jsonConfig(given: JsonInput | undefined, schema: object): object {
  const bytes = bytesOf(given);
  const text = bytes ? decodeDocument(bytes) : given;
  const config = typeof text === 'string' ? JSON.parse(text) : given;
  const others = Object.entries(Object(config)).filter(([name]) => !ownFields.test(name));
  const own = { responseMimeType: 'application/json', responseJsonSchema: schema };
  return { ...Object.fromEntries(others), ...own };
}

interface Mismatch {
  text: string;
  issues: SchemaIssue[];
}

const noAnswer: SchemaIssue = {
  path: '',
  message: 'The model called tools until a limit was reached',
};

function objectError({ text, issues }: Mismatch): ObjectError {
  const code = 'object.invalid' as const;
  const diagnostics = issues.map((issue) => ({ code, severity: 'error' as const, ...issue }));
  return new ObjectError(
    code,
    `The answer does not match the schema: ${issuesText(issues)}`,
    text,
    diagnostics,
  );
}

/** One call of `Conversation.object`. */
export class StructuredOutput {
  /** The valid answer. */
  result: { object: unknown; usage: TotalUsage } | undefined;
  readonly #schema: SchemaLike;
  readonly #form: ReturnType<FitSchema>;

  /** @throws StrataError `schema.not_convertible`; `field.invalid` if it is no schema */
  constructor(schema: SchemaLike, fit: FitSchema) {
    this.#schema = schema;
    this.#form = fit(answerSchemaOf(schema));
  }

  /** What was changed in the schema, with paths in the request. */
  get diagnostics(): Diagnostic[] {
    return changesOf(this.#form.diagnostics, '/generationConfig/responseJsonSchema');
  }

  /** Returns the conversation's options for this send. */
  optionsOf(options: ConversationOptions): ConversationOptions {
    const generationConfig = jsonConfig(options.generationConfig, this.#form.schema);
    // An object is one answer.
    return { ...options, generationConfig, continue: false };
  }

  /**
   * Runs the rounds of a send until the answer matches, at most twice, or a tool pauses its call. Returns the answer.
   *
   * @throws ObjectError `object.invalid`
   */
  async run(
    rounds: () => Promise<AnswerSummary | undefined>,
    { live, events, spending }: SendContext,
  ): Promise<AnswerSummary | undefined> {
    const first = await rounds();
    const mismatch = await this.#read(first, spending);
    if (!mismatch) return first;
    const { text, issues } = mismatch;
    await events.put([{ type: 'invalidObject', text, issues }]);
    const words = `The answer does not match the schema. ${issuesText(issues)}. Answer again, with JSON that matches.`;
    await events.put(await live.commit(textContent(words)));
    const second = await rounds();
    const again = await this.#read(second, spending);
    if (again) throw objectError(again);
    return second;
  }

  // Returns what is wrong, or undefined after it has set the result or if there is no answer yet.
  async #read(
    answer: AnswerSummary | undefined,
    { usage }: Spending,
  ): Promise<Mismatch | undefined> {
    if (!answer) return undefined;
    const { text, calls } = answer;
    // The rounds of tools have reached their limit.
    if (calls.length > 0) throw objectError({ text, issues: [noAnswer] });
    const valid = await this.#validate(text);
    if (valid.issues) return { text, issues: valid.issues };
    this.result = { object: valid.value, usage };
    return undefined;
  }

  async #validate(text: string): Promise<Validated> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return { issues: [{ path: '', message: `The text is not JSON: ${messageOf(error)}` }] };
    }
    return validate(this.#schema, value);
  }
}
