// Makes JSON of a body in which a shell computes values, such as `"data": "$(base64 cat.jpg)"`.
import { WrittenString, type QuoteStyle } from './written-string.js';

const windows: ReadonlySet<QuoteStyle> = new Set(['caret', 'cmd-quoted']);

/** Returns whether `[from, to)` ends inside a JSON string, if it begins inside one or not. */
function endsInString(json: string, from: number, to: number, isString: boolean): boolean {
  for (let at = from; at < to; at += 1) {
    if (json[at] === '\\' && isString) at += 1;
    else if (json[at] === '"') isString = !isString;
  }
  return isString;
}

/** Returns the body with each computed value as a JSON string, or as a part of one, that holds what is written there. */
export function withComputedStrings(body: WrittenString): WrittenString {
  if (body.computed.length === 0) return body;
  const { value } = body;
  const json = new WrittenString(body.from);
  json.to = body.to;
  let isString = false;
  let at = 0;
  for (const { from, to } of body.computed) {
    json.addPart(body, at, from);
    isString = endsInString(value, at, from, isString);
    at = to;
    // cmd.exe has variables in what is written out elsewhere.
    if (!isString && windows.has(body.styleAt(from))) {
      json.addPart(body, from, to, 'text');
      continue;
    }
    const quoted = JSON.stringify(value.slice(from, to));
    const place = body.rangeOf(from, to);
    json.addComputed(
      isString ? quoted.slice(1, -1) : quoted,
      place.from,
      place.to - place.from,
      body.styleAt(from),
    );
  }
  json.addPart(body, at, value.length);
  return json;
}
