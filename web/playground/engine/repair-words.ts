// Says what a repair does at its place: "Add an error result for call-2".
import type { RepairWords, TextEdit } from './lint-result.js';

const irregular: { [verb: string]: string } = {
  Put: 'Put',
  Rewrite: 'Rewrote',
  Wrap: 'Wrapped',
  Write: 'Wrote',
};
const pastTense = (verb: string) => irregular[verb] ?? verb.replace(/e?$/, 'ed');

// Repairs that move or rewrite values: which edits do so says less than their rule.
const offers: { [code: string]: string } = {
  'parts.empty': 'Remove the empty Content',
  'part.no_data': 'Remove the empty Part',
  'text.empty': 'Remove the empty text',
  'step.text_empty': 'Remove the empty text',
  'tools.empty': 'Remove the empty tool',
  'tools.duplicate_declaration': 'Remove the repeated declaration',
  'signature.inside_call': 'Move the signature to its Part',
  'call.order': 'Join the call to the Content before it',
  'call.split': 'Join the Content to the one before it',
  'response.order': 'Put the results in the order of their calls',
  'response.split': 'Join the results into one Content',
  'response.orphan': 'Move the result behind its call',
  'response.interleaved': 'Move the results behind their calls',
  'response.not_object': 'Wrap the result in an object',
  'response.parts_unsupported': 'Move the media behind the results',
  'response.trailing_content': 'Move text and media behind the results',
  'thought.not_first': 'Move the thought to the start of its turn',
  'step.interleaved': 'Move the results behind their calls',
  'step.result_repeated': 'Remove the repeated result',
  'step.result_invalid': 'Wrap the result in an object',
  'input.turn_list': 'Write the turns as steps',
  'input.content_list': 'Put the Content into a user_input step',
  'interaction.instruction_not_string': 'Write the instruction as one text',
  'json.duplicate_key': 'Remove the repeated key',
};

const placeholder = 'skip_thought_signature_validator';
const lostResult = 'The result of this call was lost.';
const maxValue = 40;

const short = (text: string) => (text.length > maxValue ? `${text.slice(0, maxValue)}…` : text);
const isScalar = (json: string) => /^(?:"[^"]*"|[-\w.+]+|\[\s*\]|\{\s*\})$/.test(json.trim());

/** Returns the ids, or else the names, of the results that an edit adds. */
function addedResults(text: string): string[] {
  const results = text.split(/"functionResponse"\s*:|"function_result"/).slice(1);
  return results.map((one) => {
    const field = (name: string) => new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(one)?.[1];
    return field('id') ?? field('call_id') ?? field('name') ?? 'a call';
  });
}

function addition(text: string): string {
  if (text.includes(placeholder)) return 'Add a placeholder signature';
  const calls = addedResults(text);
  const [only] = calls;
  if (calls.length === 1) return `Add an error result for ${only}`;
  if (calls.length > 1) return `Add error results for ${short(calls.join(', '))}`;
  const member = /^,?\s*"([^"]+)"\s*:\s*(.*?),?$/s.exec(text);
  return member ? `Add ${member[1]}: ${short(member[2] ?? '')}` : `Add ${short(text)}`;
}

function removal(text: string): string {
  if (text.trim() === ',') return 'Remove the comma';
  const member = /^,?\s*"([^"]+)"\s*:/.exec(text);
  if (member) return `Remove ${member[1]}`;
  return /[{[]/.test(text) ? 'Remove it' : `Remove ${short(text)}`;
}

function replacement(before: string, after: string): string {
  if (isScalar(before) && isScalar(after)) return `Change ${short(before)} to ${short(after)}`;
  return 'Rewrite the value';
}

function offerOf(codes: readonly string[], body: string, edits: readonly TextEdit[]): string {
  const [first] = edits;
  if (!first) return '';
  const [before, after] = [body.slice(first.from, first.to), first.text];
  // A schema that moves to the field for JSON Schema; one that stays is rewritten in place.
  if (codes.some((code) => code.startsWith('schema.')))
    return after.includes('parametersJsonSchema')
      ? 'Move the schema to parametersJsonSchema'
      : 'Rewrite the schema';
  const known = codes.map((code) => offers[code]).find((offer) => offer !== undefined);
  if (known !== undefined) return known;
  const removed = edits.find(({ from, to, text }) => to > from && (text === '' || text[0] === ','));
  const isMoved = removed !== undefined && edits.some(({ from, to }) => from === to);
  if (isMoved && /"parts"/.test(body.slice(removed.from, removed.to)))
    return 'Join the Content to the one before it';
  if (isMoved) return 'Move the value to its place';
  if (before === '') return addition(after);
  return after === '' ? removal(before) : replacement(before, after);
}

/** Returns the words for a repair, from the edits of the request's body that it makes. */
export function repairWords(
  codes: readonly string[],
  body: string,
  edits: readonly TextEdit[],
): RepairWords {
  const main = offerOf(codes, body, edits);
  // One repair may resolve two findings: the call without a result, and the Content in its place.
  const results = edits.find(({ text }) => text.includes(lostResult));
  const isMore = results !== undefined && !main.startsWith('Add');
  const offer = isMore ? `${main} and ${addition(results.text).replace('Add', 'add')}` : main;
  const [verb = ''] = offer.split(' ');
  const rest = offer.slice(verb.length).replace(' and add ', ' and added ');
  const done = `${pastTense(verb)}${rest}`;
  const isDummy = edits.some(({ text }) => text.includes(placeholder)) && offer.startsWith('Add');
  const better = 'Better: send back the signature that came with the call.';
  return { offer, done, ...(isDummy ? { better } : {}) };
}
