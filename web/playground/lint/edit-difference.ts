// Shows the lines that an edit removes and adds.
import { diffLines, diffWordsWithSpace } from 'diff';
import { count, element } from '../../ui/dom.js';
import type { TextEdit } from '../engine/lint-result.js';
import { shownChange, shownContext } from '../engine/limits.js';

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

function pieceView({ text, kind }: Piece): HTMLElement {
  const tag = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span';
  return element(tag, {}, element('span', { className: 'hidden' }, words[kind]), text);
}

function lineView({ text, kind }: Piece): HTMLElement {
  const lines = text.replace(/\n$/, '').split('\n');
  const signed = lines.map((line) => `${signs[kind]} ${line}`).join('\n');
  return pieceView({ text: `${signed}\n`, kind });
}

// Returns the ends of the lines around an edit, and one line more on each side.
function contextOf(text: string, { from, to }: TextEdit): { head: string; tail: string } {
  const previous = text.lastIndexOf('\n', text.lastIndexOf('\n', from - 1) - 1);
  const start = Math.max(previous + 1, from - shownContext);
  const lineEnd = text.indexOf('\n', to);
  const next = lineEnd < 0 ? -1 : text.indexOf('\n', lineEnd + 1);
  const end = Math.min(next < 0 ? text.length : next, to + shownContext);
  return { head: text.slice(start, from), tail: text.slice(to, end) };
}

/** Creates the view of what an edit changes in a text. Long changes are shown up to a limit, and say so. */
export function editDifference(text: string, edit: TextEdit): HTMLElement {
  const [before, after] = [bounded(text.slice(edit.from, edit.to)), bounded(edit.text)];
  const { head, tail } = contextOf(text, edit);
  const isOneLine = !before.includes('\n') && !after.includes('\n');
  const pieces = isOneLine
    ? [head, ...diffWordsWithSpace(before, after).map(toPiece).map(pieceView), tail]
    : diffLines(`${head}${before}${tail}\n`, `${head}${after}${tail}\n`).map(toPiece).map(lineView);
  return element('pre', { className: 'difference' }, ...pieces);
}
