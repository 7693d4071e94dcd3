// Lists the examples by the problem that brings people here. Each opens as a session of its own.
import { emptyDocument, type PlaygroundDocument } from '../../state/playground-document.js';

/** All examples by their addresses, the most frequent problems first. */
const problems: { [title: string]: { [address: string]: string } } = {
  'Error 400: thought signatures': {
    'rule/signature.missing': 'A call of the current turn lost its signature',
    'rule/signature.on_sibling': 'The signature is on the second of two parallel calls',
    'rule/signature.inside_call': 'The signature is inside the functionCall',
    'rule/signature.not_base64': 'The signature was changed on its way',
  },
  'Error 400: calls and their results': {
    'rule/call.open': 'A call has no response',
    'rule/response.count': 'There are fewer responses than calls',
    'rule/response.split': 'The responses of parallel calls are in two messages',
    'rule/response.id_mismatch': 'A response has the id of no call',
    'rule/response.orphan': 'A response has no call',
    'rule/call.order': 'A call in the wrong place',
  },
  'Error 400: messages': {
    'rule/contents.empty': 'There is no message',
    'rule/parts.empty': 'A message is empty',
    'rule/role.invalid': 'A role is spelled as other services spell it',
    'rule/turn.ends_with_model': "The last message is the model's",
    'rule/json.invalid': 'Invalid JSON',
  },
  'Error 400: schemas of tools': {
    'rule/schema.unknown_keyword': 'A keyword that the API does not know',
    'rule/schema.required_undefined': 'A required property that is not defined',
    'rule/schema.items_missing': 'An array without items',
    'rule/schema.ref_undefined': 'A reference to nothing',
    'rule/tools.name_invalid': 'A tool with a name that is not allowed',
  },
  'Settings and models': {
    'rule/thinking.both': 'A thinking level and a thinking budget',
    'rule/thinking.budget_range': 'A thinking budget that the model does not take',
    'rule/tools.json_mode': 'Tools together with JSON answers',
    'rule/model.retired': 'A model that is no longer served',
    'rule/config.sampling_ignored': 'A setting that the model ignores',
  },
  'Other input formats': {
    'example/curl': 'A cURL command with an API key',
    'example/openai': 'Messages of OpenAI',
    'example/jsonl': 'JSON Lines with three requests',
  },
};

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

const weather = { name: 'get_weather', arguments: '{"city":"Oslo"}' };
const openai = {
  model: 'gemini-3.8-flash',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is the weather in Oslo?' },
    { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: weather }] },
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

/** The list. `close` closes the dialog around it. */
export function Examples({ close }: { close: () => void }) {
  const open = (address: string) => {
    close();
    // The same address again is another start of the example.
    if (location.hash === `#${address}`) dispatchEvent(new HashChangeEvent('hashchange'));
  };
  return (
    <>
      <p class="note">Each example opens in a session of its own. Yours stay as they are.</p>
      {Object.entries(problems).map(([problem, examples]) => (
        <section key={problem}>
          <h3>{problem}</h3>
          <ul class="stack rule-list">
            {Object.entries(examples).map(([address, title]) => (
              <li key={address}>
                <a href={`./#${address}`} onClick={() => open(address)}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
