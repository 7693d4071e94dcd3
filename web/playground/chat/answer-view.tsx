// Shows an answer of the model: folded thoughts, Markdown, calls, images, signatures, and its numbers.
import { Folded } from '../../ui/elements.js';
import { count } from '../../ui/format.js';
import type { AnswerNumbers } from '../state/playground-document.js';
import type { Answer, Piece } from './answer.js';
import { CallView, SignatureLine } from './call-view.js';
import type { Chat } from './chat.js';
import { Markdown } from './markdown.js';
import { PartView, DeletionQuestion, EditForm, formOf, TurnActions } from './turn-view.js';
import { dollarsOf, finishWords } from './words.js';

function PieceView({ chat, piece }: { chat: Chat; piece: Piece }) {
  switch (piece.kind) {
    case 'text':
      return <Markdown source={piece.text} />;
    case 'thoughts':
      return (
        <div class="thoughts">
          <Folded title="Thoughts">
            <Markdown source={piece.text} />
          </Folded>
        </div>
      );
    case 'part':
      return <PartView part={piece.part} />;
    case 'call':
      return <CallView chat={chat} call={piece.call} />;
    case 'signature':
      return <SignatureLine chat={chat} signature={piece.signature} />;
    default:
      return <p class="note">{piece.text}</p>;
  }
}

// What the answer took and cost, in one line.
function Numbers({ numbers }: { numbers: AnswerNumbers }) {
  const { input, cached = 0, thought = 0, output = 0, cost, finishReason } = numbers;
  const counts =
    input === undefined
      ? ['Tokens not reported']
      : [`${count(input)} in`, `${count(cached)} cached`, `${count(thought)} thoughts`];
  if (input !== undefined) counts.push(`${count(output)} out`);
  const end = finishReason === 'STOP' || finishReason === '' ? [] : [finishWords(finishReason)];
  return (
    <p class="numbers" title="The tokens of this answer, and their list price">
      {[...counts, cost === undefined ? 'cost unknown' : dollarsOf(cost), ...end].join(' · ')}
    </p>
  );
}

/** An answer, while it streams and afterwards. */
export function AnswerView({ chat, answer }: { chat: Chat; answer: Answer }) {
  const state = answer.state.value;
  const turn = answer.turn.value;
  const numbers = answer.numbers.value;
  const form = formOf(chat, turn);
  const isWaiting = state === 'waiting' && chat.sending.value !== undefined;
  const names = ['turn', 'model', isWaiting && 'waiting', state === 'discarded' && 'discarded'];
  return (
    <article class={names.filter(Boolean).join(' ')}>
      <h3>
        {turn?.model ?? 'Model'}
        {turn?.form === 'interactions' && (
          <small title="Kept as steps of the Interactions API"> steps</small>
        )}
      </h3>
      {form?.kind === 'edit' ? (
        <EditForm chat={chat} form={form} />
      ) : (
        answer.pieces.value.map((piece) => <PieceView chat={chat} piece={piece} />)
      )}
      {turn && form?.kind !== 'edit' && (
        <div class="row between turn-footer">
          {numbers && <Numbers numbers={numbers} />}
          <TurnActions chat={chat} turn={turn} />
        </div>
      )}
      {form?.kind === 'delete' && <DeletionQuestion chat={chat} form={form} />}
    </article>
  );
}
