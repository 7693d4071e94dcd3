// Reads and changes the members of a JSON object in its text, so that all other values keep their spelling.
import { jsonLanguage } from '@codemirror/lang-json';

/** A member of an object. Offsets are in UTF-16 units; `from` and `to` are those of the value. */
export interface JsonMember {
  name: string;
  /** The text of the value. */
  text: string;
  from: number;
  to: number;
  /** Where the name starts. */
  start: number;
}

/** Returns the members of an object in the order of their text. A name that is written twice has two members. */
export function membersOf(json: string): JsonMember[] {
  const object = jsonLanguage.parser.parse(json).topNode.getChild('Object');
  return (object?.getChildren('Property') ?? []).flatMap((property) => {
    const { firstChild: name, lastChild: value } = property;
    if (!name || !value || name.from === value.from) return [];
    const { from, to } = value;
    const text = json.slice(from, to);
    return [{ name: JSON.parse(json.slice(name.from, name.to)), text, from, to, start: name.from }];
  });
}

/** Returns the object with `text` as the value of a member. */
export function withMember(json: string, name: string, text: string): string {
  const members = membersOf(json);
  const known = members.findLast((member) => member.name === name);
  if (known) return json.slice(0, known.from) + text + json.slice(known.to);
  const added = `${JSON.stringify(name)}: ${text}`;
  const last = members.at(-1);
  if (!last) return `{\n  ${added}\n}`;
  const lineStart = json.lastIndexOf('\n', last.start) + 1;
  const indent = json.slice(lineStart, last.start);
  const separator = lineStart > 0 && indent.trim() === '' ? `,\n${indent}` : ', ';
  return json.slice(0, last.to) + separator + added + json.slice(last.to);
}

/** Returns the object without a member. */
export function withoutMember(json: string, name: string): string {
  const members = membersOf(json);
  const at = members.findLastIndex((member) => member.name === name);
  const member = members[at];
  if (!member) return json;
  const [before, after] = [members[at - 1], members[at + 1]];
  if (after) return json.slice(0, member.start) + json.slice(after.start);
  return json.slice(0, before ? before.to : member.start) + json.slice(member.to);
}
