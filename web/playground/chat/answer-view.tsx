// Shows an answer of the model: folded thoughts, Markdown, calls, images, signatures, and its numbers.
import { costOf } from '../../sdk/internal/cost.js';
import { Folded } from '../../ui/elements.js';
import { amount, count } from '../../ui/format.js';
import type { AnswerNumbers } from '../state/playground-document.js';
import type { Answer, Piece } from './answer.js';
import { CallView, SignatureLine } from './call-view.js';
import type { Chat } from './chat.js';
import { Markdown } from './markdown.js';
import { PartView } from './part-view.js';
import { DeletionQuestion, EditForm, formOf, TurnActions } from './turn-view.js';
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

const unknownWords: Record<string, string> = {
  counts: 'no tokens were reported',
  split: 'the total is more than the tokens that were reported',
  tier: 'its service tier has no list price',
};

// Why an answer that reports tokens has no cost.
const gapOf = ({ unknown = [] }: AnswerNumbers): string | undefined =>
  unknown.map((gap) => unknownWords[gap]).find((words) => words !== undefined);

function costWords(chat: Chat, numbers: AnswerNumbers, model: string): string | undefined {
  const { input, cached = 0, thought = 0, output = 0 } = numbers;
  const price = chat.priceOf(model);
  if (!price || input === undefined || gapOf(numbers) !== undefined) return undefined;
  const cost = costOf({ input, cached, output: output + thought }, price);
  return cost < 1e-6 ? 'less than $0.000001' : dollarsOf(cost);
}

function deviation(actual: number, estimate: number): string {
  if (actual === 0) return '';
  const percent = Math.round((100 * (estimate - actual)) / actual);
  return `, ${percent >= 0 ? '+' : '−'}${Math.abs(percent)} %`;
}

function facts(numbers: AnswerNumbers, cost: string | undefined, model: string) {
  const { input, estimate, cached = 0, thought = 0, output = 0, firstPieceMs } = numbers;
  const tokens =
    input === undefined
      ? [['Input', `not reported; estimated ${amount(estimate, 'token')}`]]
      : [
          [
            'Input',
            `${amount(input, 'token')} (estimated ${count(estimate)}${deviation(input, estimate)})`,
          ],
          ['Cached', amount(cached, 'token')],
          ['Thoughts', amount(thought, 'token')],
          ['Output', amount(output, 'token')],
        ];
  const gap = input === undefined ? unknownWords['counts'] : gapOf(numbers);
  const unknown = `unknown: ${gap ?? `the catalogue has no price for ${model}`}`;
  const { finishReason } = numbers;
  return [
    ...tokens,
    ['Cost', cost === undefined ? unknown : `${cost} at the list price`],
    ...(firstPieceMs === undefined ? [] : [['First piece', `after ${count(firstPieceMs)} ms`]]),
    ['End', finishReason === '' ? 'no reason was reported' : finishWords(finishReason)],
  ];
}

// The line that is always visible, and all numbers below it.
function Numbers({ chat, numbers, model }: { chat: Chat; numbers: AnswerNumbers; model: string }) {
  const { input, cached = 0, thought = 0, output = 0, finishReason } = numbers;
  const cost = costWords(chat, numbers, model);
  const summary =
    input === undefined
      ? ['Tokens not reported']
      : [`${count(input)} in`, `${count(cached)} cached`, `${count(thought)} thoughts`];
  if (input !== undefined) summary.push(`${count(output)} out`);
  if (cost !== undefined) summary.push(cost);
  if (finishReason !== 'STOP' && finishReason !== '') summary.push(finishReason);
  return (
    <details class="numbers">
      <summary>{summary.join(' · ')}</summary>
      <ul>
        {facts(numbers, cost, model).map(([name, text]) => (
          <li>
            <span class="label">{name}</span> {text}
          </li>
        ))}
      </ul>
    </details>
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
        <div class="turn-footer">
          {numbers && <Numbers chat={chat} numbers={numbers} model={turn.model ?? ''} />}
          <TurnActions chat={chat} turn={turn} />
        </div>
      )}
      {form?.kind === 'delete' && <DeletionQuestion chat={chat} form={form} />}
    </article>
  );
}
