// Holds the examples that belong to no rule.
import { emptyDocument, type PlaygroundDocument } from '../../state/playground-document.js';

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
