// Shows a call of the model: the arguments, the signature that must be sent back, the result, and how a person gives it.
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Json } from '../../index.js';
import { parseExact } from '../../sdk/internal/json-text.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { Button, CodeField, FoldedCode, Switch } from '../../ui/elements.js';
import { inline } from '../../ui/format.js';
import type { ShownCall } from './log.js';
import type { OpenCall } from './session.js';
import type { Chat } from './chat.js';

function Pair({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <p class="pair">
      <span class="label">{label}</span>
      <span>{children}</span>
    </p>
  );
}

/** A signature, abbreviated by CSS only: selecting and copying yields all of it. */
export function Signature({ text }: { text: string }) {
  return (
    <span class="signature ellipsis" title={`thought signature, ${text.length} characters`}>
      {text}
    </span>
  );
}

/** A signature, and the request that sends it back. */
export function SignatureLine({ chat, text }: { chat: Chat; text: string }) {
  const number = chat.requests.sentBackIn.value.get(text);
  const show = () =>
    chat.requests.select(chat.requests.all.value.find((request) => request.number === number));
  const label = `sent back in request ${number}, byte for byte`;
  return (
    <Pair label="signature">
      <Signature text={text} /> {`${text.length} characters, `}
      {number === undefined ? (
        'stored unchanged'
      ) : (
        <Button class="text-link" label={label} action={show} />
      )}
    </Pair>
  );
}

const states = {
  running: 'running …',
  open: 'no result yet',
  stopped: 'stopped before it finished',
};

// Returns the result that a text means, or what is wrong with it.
function readResult(text: string, isJson: boolean): { result?: Json; problem?: string } {
  if (!isJson) return { result: text };
  if (text.trim() === '') return {};
  try {
    return { result: parseExact(text) as Json };
  } catch (error) {
    return { problem: `Not JSON: ${messageOf(error)}` };
  }
}

const emptyText = 'Write the result as JSON, or clear “JSON” to send text.';

// The field in which a person writes the result: JSON that is checked while it is typed, or a text.
function AnswerForm({ open }: { open: OpenCall }) {
  const { call, tool, answer, fail } = open;
  const id = useId();
  const [text, setText] = useState('');
  const [isJson, setIsJson] = useState(true);
  const [wasSent, setWasSent] = useState(false);
  const { result, problem: wrong } = readResult(text, isJson);
  const problem = wrong ?? (wasSent && result === undefined ? emptyText : '');
  const send = () => {
    setWasSent(true);
    if (result === undefined) return document.getElementById(id)?.focus();
    // What comes next is at the end, where the log then stays.
    document.getElementById('log')?.scrollTo(0, Number.MAX_SAFE_INTEGER);
    return answer(result);
  };
  return (
    <div class="card stack call-card" role="group" aria-label={`Answer ${call.name}`}>
      <FoldedCode title="The declaration" code={JSON.stringify(tool, null, 2)} />
      <CodeField
        {...{ id, text, problem, rows: 3, type: setText }}
        label={`Result of ${call.name}`}
        placeholder='{ "key": "value" }'
      />
      <div class="actions">
        <Switch label="JSON" isOn={isJson} change={setIsJson} />
        <Button label="Send this result" action={send} />
        <Button label="Send it as an error" action={() => fail(text)} />
      </div>
    </div>
  );
}

export function CallView({ chat, call: { part, state } }: { chat: Chat; call: ShownCall }) {
  const { functionCall: { name = '', args = {} } = {}, thoughtSignature } = part;
  const now = state.value;
  const asked = typeof now === 'object' && 'asked' in now ? now.asked : undefined;
  const result = typeof now === 'object' && 'result' in now ? inline(now.result) : undefined;
  return (
    <div class="tool">
      <Pair label="call">
        <code>{`${name}(${inline(args)})`}</code>
      </Pair>
      {thoughtSignature !== undefined && <SignatureLine chat={chat} text={thoughtSignature} />}
      <Pair label="result">
        <code>{typeof now === 'string' ? states[now] : (result ?? 'waits for your answer …')}</code>
      </Pair>
      {asked && <AnswerForm open={asked} />}
    </div>
  );
}
