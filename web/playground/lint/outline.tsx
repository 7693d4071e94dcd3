// Draws the turns of a history beside the editor: who wrote each, which calls and results belong together, where it breaks.
import { shownContents, type TimelineContent } from '../engine/lint-result.js';
import { amount } from '../../ui/format.js';
import type { LintModel } from './model.js';

const width = 24;
/** The height of a turn in units of the drawing. */
const row = 10;
const at = (position: number) => (position + 0.5) * row;

const kindWords = { user: 'user', model: 'model', tool: 'tool results' };

function titleOf({ index, kind, calls, responses, excerpt }: TimelineContent): string {
  const facts = [
    calls.length > 0 ? amount(calls.length, 'call') : '',
    responses.length > 0 ? amount(responses.length, 'result') : '',
    excerpt,
  ].filter(Boolean);
  return `Turn ${index + 1}, ${kindWords[kind]}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`;
}

// A line from the calls of a turn to their results in another; a short one if there are none.
function Arc({ from, to }: { from: number; to: number | undefined }) {
  if (to === undefined) return <path class="arc arc-open" d={`M 14 ${at(from)} H 22`} />;
  return <path class="arc" d={`M 14 ${at(from)} C 24 ${at(from)} 24 ${at(to)} 14 ${at(to)}`} />;
}

/** The outline. A click on a turn shows it in the editor; the findings do the same for the keyboard. */
export function Outline({ model }: { model: LintModel }) {
  const { turns = [] } = model.analysis.value?.timeline ?? {};
  const drawn = turns.slice(0, shownContents);
  if (drawn.length < 2) return null;
  const height = drawn.length * row;
  return (
    <svg
      class="outline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      style={{ maxHeight: `${drawn.length * 28}px` }}
      aria-hidden="true"
    >
      {drawn.map((content, i) => (
        <rect
          key={content.index}
          class={`outlined outlined-${content.kind}${content.verdict === 'refused' ? ' outlined-refused' : ''}`}
          x={2}
          y={i * row + 0.5}
          width={12}
          height={row - 1}
          onClick={() => model.text.reveal({ from: content.from, to: content.from })}
        >
          <title>{titleOf(content)}</title>
        </rect>
      ))}
      {drawn.flatMap(({ index, calls }, i) =>
        [...new Set(calls.map(({ response }) => response?.index))].map((target) => (
          <Arc from={i} to={target === undefined ? undefined : target - index + i} />
        )),
      )}
    </svg>
  );
}
