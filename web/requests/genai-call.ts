// Makes the body of a request from a call of Google's SDKs: generate_content or interactions.create of Python,
// generateContent or interactions.create of JavaScript.
import {
  nameLiteral,
  type CallLiteral,
  type ListLiteral,
  type Literal,
  type Member,
  type ObjectLiteral,
} from './literal.js';
import type { Request } from './request.js';

/** A body, and what the call says about it. */
export interface GenaiCall extends Pick<Request, 'model' | 'api' | 'apiVersion'> {
  body: ObjectLiteral;
}

const camelCase = (name: string) =>
  name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

// What the script does not have stands at the place of what it is about.
const fixed = { isFixed: true, commas: [] } as const;
const edges = ({ from, to }: Literal) => ({ from, open: from, end: to, to });

export const member = (name: string, value: Literal): Member => ({
  ...{ key: nameLiteral(name, value.from, value.from), colon: value.from, value },
});

/** Returns an object that the script does not have, at the place of a value. */
export function objectOf(place: Literal, members: Member[]): ObjectLiteral {
  return { kind: 'object', members, ...fixed, ...edges(place), commas: [] };
}

function listOf(place: Literal, items: Literal[]): ListLiteral {
  return { kind: 'list', items, ...fixed, ...edges(place), commas: [] };
}

/** Returns what a variable is set to. */
export const known = (value: Literal): Literal =>
  value.kind === 'reference' ? known(value.target) : value;

const nameOf = ({ key }: Member) => key.value.value;
const shortName = ({ name }: CallLiteral) => name.replace(/^.*?(?=Part\.)|^.*\.(?=[A-Z]\w*$)/, '');

// The values of a call by name: `names` are those of its positional arguments.
function argumentsOf({ items, members }: CallLiteral, names: readonly string[]): Member[] {
  const positional = items.flatMap((value, i) => {
    const name = names[i];
    return name === undefined ? [] : [member(name, apiValue(value))];
  });
  const named = members.map(({ key, colon, value }) => ({
    ...{ key: nameLiteral(camelCase(key.value.value), key.from, key.to), colon },
    value: apiValue(value),
  }));
  return [...positional, ...named];
}

/** The ways to make a Part: the field that it gets, and the arguments by position. */
const partMakers: { [name: string]: [field: string, ...names: string[]] } = {
  'Part.from_function_call': ['functionCall', 'name', 'args'],
  'Part.from_function_response': ['functionResponse', 'name', 'response'],
  'Part.from_bytes': ['inlineData', 'data', 'mimeType'],
  'Part.from_uri': ['fileData', 'fileUri', 'mimeType'],
};

const roles: { [name: string]: string } = { UserContent: 'user', ModelContent: 'model' };

/** Returns a call as the object that it makes; undefined if that is not known. */
function made(call: CallLiteral): Literal | undefined {
  const name = shortName(call);
  const place = { ...call, ...fixed, commas: [] };
  if (name === 'Part.from_text')
    return { ...place, kind: 'object', members: argumentsOf(call, ['text']) };
  const [field, ...names] = partMakers[name] ?? [];
  if (field !== undefined) {
    const inner = objectOf(call, argumentsOf(call, names));
    return objectOf(call, [member(field, inner)]);
  }
  const role = roles[name];
  if (role !== undefined) {
    const [parts] = argumentsOf(call, ['parts']);
    const given = parts ? [member('parts', partsOf(parts.value))] : [];
    return objectOf(call, [member('role', nameLiteral(role, call.from, call.from)), ...given]);
  }
  if (!/^[A-Z]\w*$/.test(name) || call.items.length > 0) return undefined;
  return { ...place, kind: 'object', members: argumentsOf(call, []) };
}

/** Returns a value as the API receives it: with objects in place of the SDK's classes. */
function apiValue(value: Literal): Literal {
  if (value.kind === 'reference') return { ...value, target: apiValue(value.target) };
  if (value.kind === 'list') return { ...value, items: value.items.map(apiValue) };
  if (value.kind === 'object') {
    const members = value.members.map((one) => ({ ...one, value: apiValue(one.value) }));
    return { ...value, members };
  }
  return value.kind === 'call' ? (made(value) ?? value) : value;
}

const isContent = (value: Literal): boolean => {
  const { kind, ...rest } = known(value);
  return (
    kind === 'object' &&
    (rest as ObjectLiteral).members.some((one) => /^(?:parts|role)$/.test(nameOf(one)))
  );
};

function partOf(value: Literal): Literal {
  return known(value).kind === 'string' ? objectOf(value, [member('text', value)]) : value;
}

function partsOf(value: Literal): Literal {
  const list = known(value);
  return list.kind === 'list'
    ? { ...list, items: list.items.map(partOf) }
    : listOf(value, [partOf(value)]);
}

// Strings and Parts that follow each other are one message of the user.
function contentsOf(value: Literal): Literal {
  const list = known(value);
  if (list.kind === 'code' || list.kind === 'call') return value;
  const items = list.kind === 'list' ? list.items : [value];
  if (list.kind === 'list' && items.every((one) => isContent(one) || known(one).kind === 'code'))
    return value;
  const contents: Literal[] = [];
  let parts: Literal[] = [];
  const close = () => {
    const [first] = parts;
    const last = parts.at(-1);
    if (!first || !last) return;
    const place = { ...first, to: last.to };
    const given = member('parts', listOf(place, parts));
    contents.push(
      objectOf(place, [member('role', nameLiteral('user', first.from, first.from)), given]),
    );
    parts = [];
  };
  for (const one of items) {
    if (!isContent(one)) {
      parts.push(partOf(one));
      continue;
    }
    close();
    contents.push(one);
  }
  close();
  return listOf(value, contents);
}

const topFields = /^(?:systemInstruction|tools|toolConfig|safetySettings|cachedContent|labels)$/;
// What the SDK itself reads.
const requestOptions = /^(?:api_version|timeout|extra_(?:headers|query|body))$/;
const ownFields = /^(?:httpOptions|automaticFunctionCalling|shouldReturnHttpResponse|abortSignal)$/;

/** Returns the members of a body that a configuration sets. */
function configured(config: Literal): Member[] {
  const given = known(config);
  if (given.kind !== 'object') return [];
  const members = given.members
    .map((one) => ({ ...one, key: nameLiteral(camelCase(nameOf(one)), one.key.from, one.key.to) }))
    .filter((one) => !ownFields.test(nameOf(one)));
  const top = members.filter((one) => topFields.test(nameOf(one)));
  const rest = members.filter((one) => !topFields.test(nameOf(one)));
  const inBody = top.map((one) =>
    nameOf(one) === 'systemInstruction' && !isContent(one.value) && known(one.value).kind !== 'code'
      ? { ...one, value: objectOf(one.value, [member('parts', partsOf(one.value))]) }
      : one,
  );
  return rest.length === 0
    ? inBody
    : [...inBody, member('generationConfig', { ...objectOf(config, rest) })];
}

/** Returns the text of a string, also of a variable that is set to one; '' for anything else. */
export function textOf(value: Literal | undefined): string {
  const text = value && known(value);
  return text?.kind === 'string' ? text.value.value : '';
}

/** Returns the body of a call. */
export function genaiCall(call: CallLiteral): GenaiCall {
  const [only] = call.items;
  // JavaScript passes one object.
  const given =
    only && known(only).kind === 'object' && call.members.length === 0
      ? (known(only) as ObjectLiteral).members
      : call.members;
  const argument = (name: string) => given.find((one) => nameOf(one) === name)?.value;
  const name = textOf(argument('model')) || textOf(argument('agent'));
  const model = name.replace(/^models\//, '');
  const named = model === '' ? {} : { model };
  if (call.name.endsWith('interactions.create')) {
    const body = objectOf(
      call,
      given.filter((one) => !requestOptions.test(nameOf(one))),
    );
    const isStable = textOf(argument('api_version')) === 'v1';
    return { body, api: 'interactions', ...named, ...(isStable && { apiVersion: 'v1' }) };
  }
  const [contents, config] = [argument('contents'), argument('config')];
  const body = objectOf(call, [
    ...(contents ? [member('contents', contentsOf(apiValue(contents)))] : []),
    ...(config ? configured(apiValue(config)) : []),
  ]);
  return { body, ...named };
}
