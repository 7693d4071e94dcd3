// Shows the lines that a hunk removes and adds.
import { diffLines, diffWordsWithSpace } from 'diff';
import { count, element } from '../dom.js';
import type { RepairHunk } from './analysis-result.js';
import { shownChange } from './limits.js';

type Kind = 'removed' | 'added' | 'same';
interface Piece {
  text: string;
  kind: Kind;
}

const signs: Record<Kind, string> = { removed: '−', added: '+', same: ' ' };
const words: Record<Kind, string> = { removed: 'removed: ', added: 'added: ', same: '' };

function bounded(text: string): string {
  if (text.length <= shownChange) return text;
  return `${text.slice(0, shownChange)}… (${count(text.length - shownChange)} more characters)`;
}

const toPiece = ({
  value,
  added,
  removed,
}: {
  value: string;
  added?: boolean;
  removed?: boolean;
}) => {
  const kind: Kind = added ? 'added' : removed ? 'removed' : 'same';
  return { text: value, kind };
};

function piecesOf(before: string, after: string): Piece[] {
  const isOneLine = !before.includes('\n') && !after.includes('\n');
  return (isOneLine ? diffWordsWithSpace(before, after) : diffLines(before, after)).map(toPiece);
}

function pieceView({ text, kind }: Piece): HTMLElement {
  const tag = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span';
  return element(tag, {}, element('span', { className: 'hidden' }, words[kind]), text);
}

function lineView({ text, kind }: Piece): HTMLElement {
  const lines = text.replace(/\n$/, '').split('\n');
  const signed = lines.map((line) => `${signs[kind]} ${line}`).join('\n');
  return pieceView({ text: `${signed}\n`, kind });
}

/** Creates the view of what a hunk changes. Long texts are shown up to a limit, and say so. */
export function hunkDifference({ before, after }: RepairHunk): HTMLElement {
  const pieces = piecesOf(bounded(before), bounded(after));
  const isOneLine = !before.includes('\n') && !after.includes('\n');
  return element(
    'pre',
    { className: 'difference' },
    ...pieces.map(isOneLine ? pieceView : lineView),
  );
}
