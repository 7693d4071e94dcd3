// Shows the numbers of an answer: tokens against the estimate, cost, time, and why it ended.
import type { ModelPrice } from '../../index.js';
import { costOf } from '../../sdk/internal/cost.js';
import type { AnswerNumbers } from '../state/playground-document.js';
import { amount, count, element } from '../../ui/dom.js';
import { dollarsOf } from './dollars.js';
import { finishWords } from './finish-reason.js';

/** The model that answered, and its price if the catalogue has one. */
export interface PricedAnswer {
  model: string;
  price?: ModelPrice | undefined;
}

function deviation(actual: number, estimate: number): string {
  if (actual === 0) return '';
  const percent = Math.round((100 * (estimate - actual)) / actual);
  return `, ${percent >= 0 ? '+' : '−'}${Math.abs(percent)} %`;
}

function inputText({ input, estimate }: AnswerNumbers): string {
  if (input === undefined) return `not reported; estimated ${amount(estimate, 'token')}`;
  return `${amount(input, 'token')} (estimated ${count(estimate)}${deviation(input, estimate)})`;
}

function costText(numbers: AnswerNumbers, { model, price }: PricedAnswer): string {
  if (!price) return `unknown: the catalogue has no price for ${model}`;
  const { input, cached = 0, thought = 0, output = 0 } = numbers;
  if (input === undefined) return 'unknown: no tokens were reported';
  const cost = costOf({ input, cached, output: output + thought }, price);
  return `${cost < 1e-6 ? 'less than $0.000001' : dollarsOf(cost)} at the list price`;
}

function facts(numbers: AnswerNumbers, priced: PricedAnswer): [string, string][] {
  const { input, cached = 0, thought = 0, output = 0, firstPieceMs, finishReason } = numbers;
  const reported: [string, string][] =
    input === undefined
      ? []
      : [
          ['Cached', amount(cached, 'token')],
          ['Thoughts', amount(thought, 'token')],
          ['Output', amount(output, 'token')],
        ];
  return [
    ['Input', inputText(numbers)],
    ...reported,
    ['Cost', costText(numbers, priced)],
    ...(firstPieceMs === undefined
      ? []
      : [['First piece', `after ${count(firstPieceMs)} ms`] as [string, string]]),
    ['End', finishReason === '' ? 'no reason was reported' : finishWords(finishReason)],
  ];
}

// Returns the line that is always visible.
function summaryText(numbers: AnswerNumbers, { price }: PricedAnswer): string {
  const { input, cached = 0, thought = 0, output = 0, finishReason } = numbers;
  if (input === undefined) return 'Tokens not reported';
  const texts = [`${count(input)} in`, `${count(cached)} cached`, `${count(thought)} thoughts`];
  texts.push(`${count(output)} out`);
  if (price) texts.push(dollarsOf(costOf({ input, cached, output: output + thought }, price)));
  if (finishReason !== 'STOP' && finishReason !== '') texts.push(finishReason);
  return texts.join(' · ');
}

/** Returns the numbers, folded below one line. */
export function numbersView(numbers: AnswerNumbers, priced: PricedAnswer): HTMLElement {
  const rows = facts(numbers, priced).map(([name, text]) =>
    element('li', {}, element('span', { className: 'label' }, name), ` ${text}`),
  );
  const summary = element('summary', {}, summaryText(numbers, priced));
  return element('details', { className: 'numbers' }, summary, element('ul', {}, ...rows));
}
