// Requests an answer that is JSON of a schema, and asks once more if it does not match.
import { bytesOf, decodeDocument } from '../sdk/internal/bytes.js';
import { messageOf } from '../sdk/internal/messages.js';
import { ObjectError } from '../sdk/internal/errors.js';
import {
  changesOf,
  issuesText,
  answerSchemaOf,
  validate,
  type FitSchema,
  type Validated,
} from '../sdk/chat/tools/schema.js';
import type { ConversationPlugin, LastAnswer, PluginContext } from '../sdk/chat/plugin.js';
import type { AssembleInput } from '../sdk/types/assemble.js';
import type { JsonInput } from '../sdk/types/json.js';
import type { SchemaLike } from '../sdk/types/schema.js';
import type { SchemaIssue } from '../sdk/types/tool.js';

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

const noAnswer: SchemaIssue = {
  path: '',
  message: 'The model called tools until a limit was reached',
};

function objectError(text: string, issues: SchemaIssue[]): ObjectError {
  const code = 'object.invalid' as const;
  const diagnostics = issues.map((issue) => ({ code, severity: 'error' as const, ...issue }));
  const message = `The answer does not match the schema: ${issuesText(issues)}`;
  return new ObjectError(code, message, text, diagnostics);
}

/** The plugin of one call of `Conversation.object`: asks for JSON, and once more if it does not match. */
export class ObjectPlugin implements ConversationPlugin {
  readonly name = 'object';
  /** What the schema yields for the valid answer. */
  result: { object: unknown } | undefined;
  readonly #schema: SchemaLike;
  readonly #form: ReturnType<FitSchema>;
  #hasAsked = false;

  /** @throws StrataError `schema.not_convertible`; `field.invalid` if it is no schema */
  constructor(schema: SchemaLike, fit: FitSchema) {
    this.#schema = schema;
    this.#form = fit(answerSchemaOf(schema));
  }

  // What was changed in the schema, with paths in the request.
  onStart(_: unknown, { emit }: PluginContext): void {
    const place = '/generationConfig/responseJsonSchema';
    const diagnostics = changesOf(this.#form.diagnostics, place);
    if (diagnostics.length > 0) emit({ type: 'diagnostics', diagnostics });
  }

  beforeRequest(_: unknown, input: AssembleInput): AssembleInput {
    return { ...input, generationConfig: jsonConfig(input.generationConfig, this.#form.schema) };
  }

  /** @throws ObjectError `object.invalid` */
  async nextMessage(
    _: unknown,
    { text, calls }: LastAnswer,
    { emit }: PluginContext,
  ): Promise<string | null> {
    const valid = calls.length > 0 ? { issues: [noAnswer] } : await this.#validate(text);
    if (!valid.issues) {
      this.result = { object: valid.value };
      return null;
    }
    const { issues } = valid;
    if (this.#hasAsked || calls.length > 0) throw objectError(text, issues);
    this.#hasAsked = true;
    emit({ type: 'invalidObject', text, issues });
    return `The answer does not match the schema. ${issuesText(issues)}. Answer again, with JSON that matches.`;
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
