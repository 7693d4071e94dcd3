// Reads what the timeline shows of a Content: role, text, signatures, calls and responses.
import { field, isObject, textOf, type JsonFields } from '../../sdk/base/json-object.js';
import type { TimelineCall, TimelineContent, TimelineResponse } from './analysis-result.js';

const excerptLength = 120;

const fieldsOf = (value: unknown): JsonFields => (isObject(value) ? value : {});

function parse(text: string): JsonFields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}

type ContentSummary = Pick<
  TimelineContent,
  'role' | 'excerpt' | 'parts' | 'thoughts' | 'signatures' | 'calls' | 'responses'
>;

const idField = (fields: JsonFields) => {
  const { id } = fields;
  return typeof id === 'string' ? { id } : {};
};

/** Returns what the timeline shows of one Content, whose text may be anything. */
export function readContent(text: string): ContentSummary {
  const content = parse(text);
  const { parts } = content;
  const list = Array.isArray(parts) ? parts.map(fieldsOf) : parts ? [fieldsOf(parts)] : [];
  const calls: TimelineCall[] = [];
  const responses: TimelineResponse[] = [];
  let [excerpt, thoughts, signatures] = ['', 0, 0];
  for (const [part, fields] of list.entries()) {
    const signed = Boolean(field(fields, 'thoughtSignature'));
    const call = field(fields, 'functionCall');
    const response = field(fields, 'functionResponse');
    if (signed) signatures += 1;
    if (fields['thought'] === true) thoughts += 1;
    else if (excerpt.length < excerptLength) excerpt += textOf(fields['text']);
    if (call) {
      const called = fieldsOf(call);
      calls.push({ part, name: textOf(called['name']), ...idField(called), signed });
    }
    if (response) {
      const answered = fieldsOf(response);
      responses.push({ part, name: textOf(answered['name']), ...idField(answered) });
    }
  }
  return {
    role: textOf(content['role']),
    excerpt: excerpt.slice(0, excerptLength),
    parts: list.length,
    ...{ thoughts, signatures, calls, responses },
  };
}

interface OpenCall {
  index: number;
  call: TimelineCall;
}

// Results belong to calls by id, or else by name in their order.
function takeCall(open: OpenCall[], { id, name }: TimelineResponse): OpenCall | undefined {
  const byId = id === undefined ? -1 : open.findIndex(({ call }) => call.id === id);
  const at = byId >= 0 ? byId : open.findIndex(({ call }) => call.name === name);
  return at < 0 ? undefined : open.splice(at, 1)[0];
}

/** Connects each response with the call that it answers. Calls stay open until the next turn of a user. */
export function linkCalls(turns: readonly TimelineContent[]): void {
  let open: OpenCall[] = [];
  for (const { index, kind, calls, responses } of turns) {
    for (const response of responses) {
      const found = takeCall(open, response);
      if (!found) continue;
      response.call = { index: found.index, part: found.call.part };
      found.call.response = { index, part: response.part };
    }
    if (kind === 'user') open = [];
    open.push(...calls.map((call) => ({ index, call })));
  }
}
