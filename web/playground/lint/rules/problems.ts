// Lists the examples of the menu by the problem that brings people here.

/** An example. One with a `rule` opens the page of that rule. */
export interface Example {
  /** What the user sees: "A call has no response". */
  title: string;
  /** The code of a rule, or the name of an example. */
  rule?: string;
  name?: string;
}

/** Examples of one problem. */
export interface Problem {
  title: string;
  examples: readonly Example[];
}

const rule = (code: string, title: string): Example => ({ title, rule: code });
const named = (name: string, title: string): Example => ({ title, name });

/** All examples, the most frequent problems first. */
export const problems: readonly Problem[] = [
  {
    title: 'Error 400: thought signatures',
    examples: [
      rule('signature.missing', 'A call of the current turn lost its signature'),
      rule('signature.on_sibling', 'The signature is on the second of two parallel calls'),
      rule('signature.inside_call', 'The signature is inside the functionCall'),
      rule('signature.not_base64', 'The signature was changed on its way'),
    ],
  },
  {
    title: 'Error 400: calls and their results',
    examples: [
      rule('call.open', 'A call has no response'),
      rule('response.count', 'There are fewer responses than calls'),
      rule('response.split', 'The responses of parallel calls are in two messages'),
      rule('response.id_mismatch', 'A response has the id of no call'),
      rule('response.orphan', 'A response has no call'),
      rule('call.order', 'A call in the wrong place'),
    ],
  },
  {
    title: 'Error 400: messages',
    examples: [
      rule('contents.empty', 'There is no message'),
      rule('parts.empty', 'A message is empty'),
      rule('role.invalid', 'A role is spelled as other services spell it'),
      rule('turn.ends_with_model', "The last message is the model's"),
      rule('json.invalid', 'Invalid JSON'),
    ],
  },
  {
    title: 'Error 400: schemas of tools',
    examples: [
      rule('schema.unknown_keyword', 'A keyword that the API does not know'),
      rule('schema.required_undefined', 'A required property that is not defined'),
      rule('schema.items_missing', 'An array without items'),
      rule('schema.ref_undefined', 'A reference to nothing'),
      rule('tools.name_invalid', 'A tool with a name that is not allowed'),
    ],
  },
  {
    title: 'Settings and models',
    examples: [
      rule('thinking.both', 'A thinking level and a thinking budget'),
      rule('thinking.budget_range', 'A thinking budget that the model does not take'),
      rule('tools.json_mode', 'Tools together with JSON answers'),
      rule('model.retired', 'A model that is no longer served'),
      rule('config.sampling_ignored', 'A setting that the model ignores'),
    ],
  },
  {
    title: 'Other input formats',
    examples: [
      named('curl', 'A cURL command with an API key'),
      named('openai', 'Messages of OpenAI'),
      named('jsonl', 'JSON Lines with three requests'),
    ],
  },
];
