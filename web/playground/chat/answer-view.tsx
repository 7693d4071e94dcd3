// Shows an answer of the model: folded thoughts, Markdown, calls, images, signatures, and its numbers.
import type { Part } from '../../index.js';
import { Folded } from '../../ui/elements.js';
import { count } from '../../ui/format.js';
import type { AnswerNumbers } from '../state/playground-document.js';
import type { Answer } from './answer.js';
import { CallView, SignatureLine } from './call-view.js';
import type { Chat } from './chat.js';
import { Markdown } from './markdown.js';
import { PartView, DeletionQuestion, EditForm, formOf, TurnActions } from './turn-view.js';
import { dollarsOf, finishWords } from './words.js';

function Piece({ chat, answer, part }: { chat: Chat; answer: Answer; part: Part }) {
  const { text = '', thought, thoughtSignature = '' } = part;
  const call = answer.calls.find((one) => one.part === part);
  return (
    <>
      {text !== '' && thought && (
        <div class="thoughts">
          <Folded title="Thoughts">
            <Markdown source={text} />
          </Folded>
        </div>
      )}
      {text !== '' && !thought && <Markdown source={text} />}
      <PartView part={part} />
      {call && <CallView chat={chat} call={call} />}
      {!call && thoughtSignature !== '' && <SignatureLine chat={chat} text={thoughtSignature} />}
    </>
  );
}

// What the answer took and cost, in one line.
function numberWords({ input, cached = 0, thought = 0, output = 0, ...rest }: AnswerNumbers) {
  const { cost, finishReason } = rest;
  const counts =
    input === undefined
      ? ['Tokens not reported']
      : [`${count(input)} in`, `${count(cached)} cached`, `${count(thought)} thoughts`];
  if (input !== undefined) counts.push(`${count(output)} out`);
  const end = finishReason === 'STOP' || finishReason === '' ? [] : [finishWords(finishReason)];
  return [...counts, cost === undefined ? 'cost unknown' : dollarsOf(cost), ...end].join(' · ');
}

/** An answer, while it streams and afterwards. */
export function AnswerView({ chat, answer }: { chat: Chat; answer: Answer }) {
  const [parts, notes] = [answer.parts.value, answer.notes.value];
  const turn = answer.turn.value;
  const numbers = answer.numbers.value;
  const form = formOf(chat, turn);
  const isWaiting = !turn && parts.length + notes.length === 0 && chat.sending.value;
  const state = answer.isDiscarded.value ? 'discarded' : isWaiting ? 'waiting' : '';
  return (
    <article class={`turn model ${state}`}>
      <h3>
        {turn?.model ?? 'Model'}
        {turn?.form === 'interactions' && (
          <small title="Kept as steps of the Interactions API"> steps</small>
        )}
      </h3>
      {form?.kind === 'edit' ? (
        <EditForm chat={chat} form={form} />
      ) : (
        parts.map((part) => <Piece chat={chat} answer={answer} part={part} />)
      )}
      {notes.map((text) => (
        <p class="note">{text}</p>
      ))}
      {turn && form?.kind !== 'edit' && (
        <div class="row between turn-footer">
          {numbers && (
            <p class="numbers" title="The tokens of this answer, and their list price">
              {numberWords(numbers)}
            </p>
          )}
          <TurnActions chat={chat} turn={turn} />
        </div>
      )}
      {form?.kind === 'delete' && <DeletionQuestion chat={chat} form={form} />}
    </article>
  );
}
