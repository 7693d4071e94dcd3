// Writes an answer in the form of the API that the client speaks, from the pieces of the other API's answer.
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import { dispose } from '../sdk/internal/lifetime.js';
import type { GatewayCore } from '../check/gateway-core.js';
import * as form from '../server/interaction-form.js';
import type { Json } from '../sdk/types/json.js';
import { AnswerPieces, type Ending, type Piece } from './answer-pieces.js';
import type { AnswerConverter } from './converted-answer.js';
import { errorObject, GatewayError } from './gateway-error.js';

/** How an answer is written. */
export interface AnswerForm {
  /** As the request names it. */
  model: string;
  /** `json`: one answer. `events`: server-sent events. `array`: the events as a JSON array. */
  as: 'json' | 'events' | 'array';
}

/** Writes the pieces of one answer. */
interface AnswerWriter {
  /** Returns what can be sent now. */
  write(pieces: readonly Piece[]): string;
  /** @throws GeminiError or GatewayError where an error takes the place of a whole answer */
  end(pieces: readonly Piece[], ending: Ending): string;
}

const encoder = new TextEncoder();

/**
 * Returns what turns the bytes of an answer of generateContent into one of the Interactions API, or the other way
 * round. Dispose it.
 */
export function convertedAnswer(
  core: GatewayCore,
  to: 'generateContent' | 'interactions',
  answer: AnswerForm,
): AnswerConverter {
  const isInteraction = to === 'interactions';
  const pieces = new AnswerPieces(core, isInteraction ? 'generateContent' : 'interactions');
  const writer = isInteraction
    ? new InteractionWriter(core, answer)
    : new GenerateContentWriter(answer);
  return {
    push: (bytes) => encoder.encode(writer.write(pieces.push(bytes))),
    end: () => {
      const { pieces: rest, ending } = pieces.end();
      return encoder.encode(writer.end(rest, ending));
    },
    [dispose]: () => pieces[dispose](),
  };
}

/** Returns the JSON of a Part. */
function partJson(piece: Piece): string {
  if (piece.kind === 'part') return piece.json;
  if (piece.kind === 'signature')
    return JSON.stringify({ text: '', thoughtSignature: piece.signature });
  const { text, kind } = piece;
  return JSON.stringify(kind === 'thought' ? { text, thought: true } : { text });
}

/** Writes GenerateContentResponses. */
class GenerateContentWriter implements AnswerWriter {
  readonly #form: AnswerForm;
  /** Of a whole answer, all of it; of a stream, a signature, which ends it. */
  #held: Piece[] = [];
  #hasWritten = false;

  constructor(answer: AnswerForm) {
    this.#form = answer;
  }

  write(pieces: readonly Piece[]): string {
    this.#held.push(...pieces);
    if (this.#form.as === 'json') return '';
    const last = this.#held.at(-1)?.kind === 'signature' ? this.#held.slice(-1) : [];
    const ready = this.#held.slice(0, this.#held.length - last.length);
    this.#held = last;
    const { model } = this.#form;
    return ready.map((piece) => this.#frame(responseOf([piece], model))).join('');
  }

  end(pieces: readonly Piece[], ending: Ending): string {
    const { as, model } = this.#form;
    const { error } = ending;
    if (error && as === 'json') throw error;
    const before = this.write(pieces);
    if (error) return before + this.#frame(errorText(error)) + this.#close();
    const last = responseOf(as === 'json' ? joined(this.#held) : this.#held, model, ending);
    return as === 'json' ? `${last}\n` : before + this.#frame(last) + this.#close();
  }

  #frame(json: string): string {
    if (this.#form.as !== 'array') return `data: ${json}\r\n\r\n`;
    const opening = this.#hasWritten ? ',\r\n' : '[';
    this.#hasWritten = true;
    return opening + json;
  }

  #close(): string {
    return this.#form.as === 'array' ? ']' : '';
  }
}

const errorText = ({ status, message }: { status: number; message: string }): string =>
  JSON.stringify({ error: errorObject('google', status, message) });

/** Returns the pieces of a whole answer: texts in one piece each, with their signatures. */
function joined(pieces: readonly Piece[]): Piece[] {
  const whole: Piece[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    const isText = last?.kind === 'text' || last?.kind === 'thought';
    if (isText && piece.kind === last.kind) {
      whole[whole.length - 1] = { kind: last.kind, text: last.text + piece.text };
    } else if (isText && piece.kind === 'signature') {
      const signed = `${partJson(last).slice(0, -1)},"thoughtSignature":${JSON.stringify(piece.signature)}}`;
      whole[whole.length - 1] = { kind: 'part', json: signed };
    } else whole.push(piece);
  }
  return whole;
}

/** Returns the JSON of a response; the last one of an answer has its end. */
function responseOf(
  pieces: readonly Piece[],
  asked: string,
  { blockReason, finishReason, message, usage, model = asked, id }: Partial<Ending> = {},
): string {
  const parts = pieces.length > 0 ? `"parts":[${pieces.map(partJson).join(',')}],` : '';
  const finish = {
    ...(finishReason && { finishReason }),
    index: 0,
    ...(message !== undefined && { finishMessage: message }),
  };
  const candidate = `{"content":{${parts}"role":"model"},${JSON.stringify(finish).slice(1)}`;
  const begin =
    blockReason === undefined
      ? `"candidates":[${candidate}]`
      : `"promptFeedback":${JSON.stringify({ blockReason })}`;
  const rest = {
    ...(usage && { usageMetadata: usage }),
    modelVersion: model,
    ...(id && { responseId: id }),
  };
  return `{${begin},${JSON.stringify(rest).slice(1)}`;
}

/** Writes an interaction that is not stored, or the events of one. */
class InteractionWriter implements AnswerWriter {
  readonly #core: GatewayCore;
  readonly #form: AnswerForm;
  readonly #created = Date.now();
  /** Of a whole answer. */
  readonly #parts: Piece[] = [];
  /** The type of the step that has begun, and whether it is signed. */
  #open = '';
  #isSigned = false;
  #index = 0;
  #hasBegun = false;
  #hasCalls = false;

  constructor(core: GatewayCore, answer: AnswerForm) {
    this.#core = core;
    this.#form = answer;
  }

  write(pieces: readonly Piece[]): string {
    const known = pieces.map((piece) => this.#withId(piece));
    if (this.#form.as === 'json') {
      this.#parts.push(...known);
      return '';
    }
    return this.#begin() + known.map((piece) => this.#frames(piece)).join('');
  }

  end(pieces: readonly Piece[], ending: Ending): string {
    const isWhole = this.#form.as === 'json';
    const { blockReason, error } = ending;
    if (error && isWhole) throw error;
    const blocked = `The prompt was blocked: ${blockReason}.`;
    if (isWhole && blockReason !== undefined)
      throw new GatewayError(400, 'answer.blocked', blocked);
    const before = this.write(pieces) + this.#stop();
    if (error) return before + failure(errorObject('interactions', error.status, error.message));
    if (blockReason !== undefined)
      return before + failure({ code: 'content_blocked', message: blocked });
    if (isWhole) return this.#interaction(ending);
    const interaction = this.#fields(ending, '');
    const completed = { interaction, event_type: 'interaction.completed' };
    return before + form.eventFrame(completed) + form.doneFrame;
  }

  #begin(): string {
    if (this.#hasBegun) return '';
    this.#hasBegun = true;
    const { model } = this.#form;
    return form.openingEvents('', { model }).map(form.eventFrame).join('');
  }

  #fields({ finishReason, message, usage }: Ending, id: string | undefined) {
    const status = form.interactionStatus(finishReason, this.#hasCalls);
    return form.interactionObject({
      ...{ id, status, created: this.#created, by: { model: this.#form.model } },
      usage: form.interactionUsage(usage),
      errors: form.interactionErrors(status, finishReason, message),
    });
  }

  #interaction(ending: Ending): string {
    const steps = this.#stepsOf(joined(this.#parts).map(partJson));
    const text = JSON.stringify(this.#fields(ending, undefined));
    return `${text.slice(0, -1)},"steps":${decodeUtf8(steps)}}\n`;
  }

  #stepsOf(parts: readonly string[]): Uint8Array {
    if (parts.length === 0) return encoder.encode('[]');
    const content = `{"role":"model","parts":[${parts.join(',')}]}`;
    return this.#core.convert(content, { to: 'interactions', model: this.#form.model }).body;
  }

  /** Returns a call with an id, which it needs on this API. */
  #withId(piece: Piece): Piece {
    if (piece.kind !== 'part') return piece;
    const { functionCall } = JSON.parse(piece.json) as { functionCall?: { id?: string } };
    if (!functionCall) return piece;
    this.#hasCalls = true;
    if (functionCall.id) return piece;
    const [span] = this.#core.locate(piece.json, ['/functionCall'], { positions: 'utf16' });
    const at = (span?.start ?? 0) + 1;
    const comma = Object.keys(functionCall).length > 0 ? ',' : '';
    const id = `"id":"call_${crypto.randomUUID().slice(0, 8)}"${comma}`;
    return { kind: 'part', json: piece.json.slice(0, at) + id + piece.json.slice(at) };
  }

  #frames(piece: Piece): string {
    switch (piece.kind) {
      case 'text':
        return this.#said('model_output', form.deltas.text(piece.text));
      case 'thought':
        return this.#said('thought', form.deltas.summary(piece.text));
      case 'signature':
        return this.#signature(piece.signature);
      case 'part':
        return this.#wholeSteps(this.#stepsOf([piece.json]));
    }
  }

  #said(type: string, delta: Record<string, Json>): string {
    const isOpen = this.#open === type && !(type === 'thought' && this.#isSigned);
    return (isOpen ? '' : this.#start({ type })) + this.#delta(delta);
  }

  // It belongs to the thought before it, if that has none.
  #signature(signature: Json): string {
    const text = this.#said('thought', form.deltas.signature(signature));
    this.#isSigned = true;
    return text;
  }

  #wholeSteps(bytes: Uint8Array): string {
    const steps = JSON.parse(decodeUtf8(bytes)) as Record<string, Json>[];
    return steps.map((step, index) => this.#whole(step, bytes, `/${index}`)).join('');
  }

  #whole(step: Record<string, Json>, bytes: Uint8Array, path: string): string {
    const { type, signature, content } = step;
    if (type === 'thought') return signature === undefined ? '' : this.#signature(signature);
    if (type !== 'function_call')
      return (
        this.#start(step) +
        listOf(content)
          .map((each) => this.#delta(each))
          .join('')
      );
    // Numbers stay as they were written.
    const [span] = this.#core.locate(bytes, [`${path}/arguments`]);
    const json = decodeUtf8(bytes.subarray(span?.start, span?.end));
    return this.#start(step) + this.#delta(form.deltas.arguments(json));
  }

  #start(step: Record<string, Json>): string {
    const before = this.#stop();
    this.#open = step['type'] as string;
    this.#isSigned = false;
    return before + form.eventFrame(form.stepStart(this.#index, step));
  }

  #delta(delta: Record<string, Json>): string {
    return form.eventFrame(form.stepDelta(this.#index, delta));
  }

  #stop(): string {
    if (this.#open === '') return '';
    this.#open = '';
    return form.eventFrame(form.stepStop(this.#index++));
  }
}

const listOf = (value: Json | undefined): Record<string, Json>[] =>
  Array.isArray(value) ? value.map((each) => Object(each) as Record<string, Json>) : [];

const failure = (error: Record<string, Json>): string =>
  form.eventFrame({ error, event_type: 'error' });
