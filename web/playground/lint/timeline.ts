// Plays a history Content by Content: what each one is, which prefixes the API refuses, and where it may be split.
// Each Content is judged once, from the state after the one before it.
import type { Diagnostic, Strata, Thread, ThreadOptions, TurnMeta } from '../../index.js';
import type {
  LintFinding,
  PrefixVerdict,
  TextRange,
  Timeline,
  TimelineContent,
} from './analysis-result.js';
import { linkCalls, readContent } from './read-content.js';
import { ruleTexts } from '#generated/rule-texts';

/** A history to play. */
export interface History {
  request: number;
  /** For whom it is judged. */
  options: ThreadOptions;
  /** The JSON of each Content, and where it is in the text. */
  contents: { text: string; range: TextRange }[];
}

/** The most Contents that a timeline shows. */
export const maxContents = 20_000;

type Code = Diagnostic['code'];

/** The errors that hold for the history so far. */
class Errors {
  readonly #lasting = new Set<Code>();
  readonly #ofTurn = new Set<Code>();

  /** A new turn opens: findings of the scope `turn` end. */
  openTurn(): void {
    this.#ofTurn.clear();
  }

  /** Adds the errors of a Content. Returns all that hold now, its own first. */
  add(diagnostics: readonly Pick<Diagnostic, 'code' | 'severity'>[]): Code[] {
    const own = diagnostics.filter(({ severity }) => severity === 'error');
    for (const { code } of own) {
      (ruleTexts[code]?.scope === 'turn' ? this.#ofTurn : this.#lasting).add(code);
    }
    return [...new Set([...own.map(({ code }) => code), ...this.#lasting, ...this.#ofTurn])];
  }
}

/** Judges a Content as the next one; `origin` says who created its signatures. What is not even JSON for the core counts as refused. */
function append(thread: Thread, text: string, origin?: TurnMeta): readonly Diagnostic[] {
  try {
    return thread.append(text, origin).diagnostics;
  } catch (error) {
    const { diagnostics } = error as { diagnostics?: Diagnostic[] };
    if (!diagnostics) throw error;
    return diagnostics;
  }
}

function verdictOf(refusedBy: readonly Code[], kind: string, openCalls: number): PrefixVerdict {
  if (refusedBy.length > 0) return 'refused';
  return kind === 'model' || openCalls > 0 ? 'open' : 'accepted';
}

/** Returns the timeline of a history. `findings` are those of the analysis, in the order of the text. */
export function timelineOf(
  strata: Strata,
  history: History,
  findings: readonly LintFinding[],
): Timeline {
  const { request, options } = history;
  const shown = history.contents.slice(0, maxContents);
  const thread = strata.thread({ ...options, policy: 'warn', sequencing: 'api' });
  const places = findingsAt(shown, findings, request);
  const errors = new Errors();
  const turns: TimelineContent[] = [];
  const cutPoints: number[] = [];
  let [turn, step, openCalls, wasTool] = [-1, 0, 0, false];
  for (const [index, { text, range }] of shown.entries()) {
    const diagnostics = append(thread, text, options.signaturesFrom);
    const { kind, openCalls: open } = thread.tail;
    const content = readContent(text);
    if (kind === 'user' || index === 0) {
      [turn, step] = [turn + 1, 0];
      errors.openTurn();
      if (index > 0 && openCalls === 0 && content.responses.length === 0) cutPoints.push(index);
    } else if (kind === 'model' && wasTool) step += 1;
    // A thread does not know the request's tools, so it takes any result there for one of Google's own.
    const isMixed = kind === 'model' && content.responses.length > 0;
    const here = (places[index] ?? []).map((at) => findings[at] as LintFinding);
    const more = isMixed ? here.filter(({ code }) => code !== 'call.open') : [];
    const refusedBy = errors.add([...diagnostics, ...more]);
    const verdict = verdictOf(refusedBy, kind, open.length);
    turns.push({
      ...{ index, ...range, ...content, kind: kind === 'empty' ? 'user' : kind, turn, step },
      ...{ isCurrentTurn: false, verdict, accepted: verdict !== 'refused', refusedBy },
      findings: places[index] ?? [],
    });
    [openCalls, wasTool] = [open.length, kind === 'tool'];
  }
  for (const content of turns) content.isCurrentTurn = content.turn === turn;
  linkCalls(turns);
  const firstRefused = turns.find(({ accepted }) => !accepted)?.index;
  return {
    request,
    turns,
    ...(firstRefused === undefined ? {} : { firstRefused }),
    cutPoints,
    omitted: history.contents.length - shown.length,
  };
}

// Returns the indexes of the findings at each Content. Both lists are in the order of the text.
function findingsAt(
  contents: History['contents'],
  findings: readonly LintFinding[],
  request: number,
): number[][] {
  const places = contents.map((): number[] => []);
  let at = 0;
  for (const [index, finding] of findings.entries()) {
    if (finding.request !== request) continue;
    while (at < contents.length && (contents[at]?.range.to ?? 0) <= finding.from) at += 1;
    const range = contents[at]?.range;
    if (range && finding.from >= range.from && finding.to <= range.to) places[at]?.push(index);
  }
  return places;
}
