// Lists the examples by the problem that brings people here. Each opens as a session of its own.
import { emptyDocument, type PlaygroundDocument } from '../../state/playground-document.js';

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

const user = (text: string) => ({ role: 'user', parts: [{ text }] });

const url =
  'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent';

const curl = `curl '${url}' \\
  -H 'x-goog-api-key: $GEMINI_API_KEY' \\
  -H 'content-type: application/json' \\
  -d '{
    "contents": [
      {"role": "user", "parts": [{"text": "Hello"}]},
      {"role": "assistant", "parts": [{"text": "Hi. What can I do?"}]},
      {"role": "user", "parts": [{"text": "Tell me about strata."}]}
    ]
  }'`;

const openai = {
  model: 'gemini-3.8-flash',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is the weather in Oslo?' },
    {
      role: 'assistant',
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
        },
      ],
    },
    { role: 'user', content: 'And in Bergen?' },
  ],
};

const lines = [
  { contents: [user('Hello')] },
  { contents: [] },
  { contents: [user('Hello')], generationConfig: { candidateCount: 99 } },
];

const texts: { [name: string]: string } = {
  curl,
  openai: JSON.stringify(openai, null, 2),
  jsonl: lines.map((line) => JSON.stringify(line)).join('\n'),
};

/** Returns an example as a session of its own; undefined if there is none of this name. */
export function namedExample(name: string): PlaygroundDocument | undefined {
  const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
  return text === undefined ? undefined : { ...emptyDocument(), lint: { text } };
}

function Item({ example: { title, rule, name }, close }: { example: Example; close: () => void }) {
  const href = rule === undefined ? `./#example/${name}` : `./#rule/${rule}`;
  const open = () => {
    close();
    // The same address again is another start of the example.
    if (location.hash === href) dispatchEvent(new HashChangeEvent('hashchange'));
  };
  return (
    <li>
      <a href={href} onClick={open}>
        {title}
      </a>
    </li>
  );
}

/** The list. `close` closes the dialog around it. */
export function Examples({ close }: { close: () => void }) {
  return (
    <>
      <p class="note">Each example opens in a session of its own. Yours stay as they are.</p>
      {problems.map(({ title, examples }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul class="stack rule-list">
            {examples.map((example) => (
              <Item key={example.title} example={example} close={close} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
