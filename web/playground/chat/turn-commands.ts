// Edits, deletes and branches turns, and requests answers again.
import type { ChatDraftStore } from './chat-draft.js';
import { courseName, withBranch } from './branches.js';
import type { Diagnostic } from '../../index.js';
import { amount, element } from '../../ui/dom.js';
import type { Session } from './session.js';
import { deletionQuestion } from './deletion-question.js';
import { findingsView } from '../engine/diagnostics-view.js';
import { turnForm } from './turn-form.js';
import type { TurnAction } from './turn-actions.js';
import { editableTexts } from './saved-turns.js';
import { errorsWith, planDeletion, type Deletion } from './turn-edits.js';

/** What the commands work with. */
export interface CommandParts {
  draft: ChatDraftStore;
  /** Returns the open session; undefined while turns must not change. */
  session: () => Session | undefined;
  /** Shows the turns again, after they changed. */
  refresh: () => Promise<void>;
  /** Requests the answer to the last message. */
  resume: () => void;
  focusMessage: () => void;
  announce: (text: string) => void;
}

// An answer streams, or another conversation was opened.
const busyText = 'The turns cannot be changed now. Wait until the answer has ended.';

const brokenBy = (errors: Diagnostic[]): HTMLElement =>
  element(
    'div',
    {},
    element('p', {}, 'Saving this would break the history:'),
    findingsView(errors, ''),
  );

/** The commands of turns. */
export class TurnCommands {
  readonly #parts: CommandParts;

  constructor(parts: CommandParts) {
    this.#parts = parts;
  }

  /** Does what the user chose for a turn, which `place` shows. */
  run(action: TurnAction, index: number, place: HTMLElement): void {
    const session = this.#parts.session();
    if (!session || index >= session.thread.length) return;
    if (action === 'edit') this.#edit(session, index, place);
    if (action === 'delete') this.#delete(session, index, place);
    if (action === 'branch') void this.#branch(session, index);
    if (action === 'run') void this.#runAgain(session, index);
  }

  /** Continues another branch. The course that is shown takes its place. */
  openBranch(index: number): void {
    const { draft, announce } = this.#parts;
    const session = this.#parts.session();
    const branch = draft.value.branches[index];
    if (!session || !branch) return;
    const rest = draft.value.branches.filter((one) => one !== branch);
    const branches = this.#withCourse(session, rest);
    session.load(branch.saved);
    draft.change({ saved: branch.saved, branches, discarded: [] });
    announce(`Opened the branch ${branch.name}`);
    void this.#parts.refresh();
  }

  /** Deletes a branch. */
  removeBranch(index: number): void {
    const { draft } = this.#parts;
    const branches = draft.value.branches.filter((_, other) => other !== index);
    draft.change({ branches }, 'Deleted the branch');
  }

  #edit(session: Session, index: number, place: HTMLElement): void {
    const [turn] = session.turns(index);
    if (!turn) return;
    const { content } = turn;
    const save = (texts: string[], runsAgain: boolean): HTMLElement | undefined => {
      if (this.#parts.session() !== session) return element('p', {}, busyText);
      const json = session.withTexts(index, content, texts);
      const errors = errorsWith(session.thread, index, index + 1, [json]);
      if (errors.length > 0) return brokenBy(errors);
      void this.#saveEdit(session, index, json, runsAgain);
      return undefined;
    };
    turnForm(place, index, editableTexts(content), content.role !== 'model', save);
  }

  async #saveEdit(
    session: Session,
    index: number,
    json: string,
    runsAgain: boolean,
  ): Promise<void> {
    const { draft } = this.#parts;
    const branches = runsAgain ? this.#withCourse(session) : draft.value.branches;
    session.rewrite(index, index + 1, [json]);
    if (runsAgain) session.rewind(index + 1);
    draft.change(
      { saved: session.saved, branches, ...this.#shortened(session) },
      `Edited turn ${index + 1}`,
    );
    await this.#parts.refresh();
    if (runsAgain) this.#parts.resume();
  }

  #delete(session: Session, index: number, place: HTMLElement): void {
    const deletion = planDeletion(session.thread, index);
    const turns = session.turns().slice(deletion.from, deletion.to);
    if (!deletion.reason) return void this.#remove(session, deletion);
    deletionQuestion(place, index, { ...deletion, turns }, () => {
      if (this.#parts.session() === session) void this.#remove(session, deletion);
      else this.#parts.announce(busyText);
    });
  }

  async #remove(session: Session, { from, to }: Deletion): Promise<void> {
    const { draft } = this.#parts;
    session.rewrite(from, to, []);
    const moved = draft.value.discarded.map((one) =>
      one.after <= from ? one : { ...one, after: Math.max(from, one.after - (to - from)) },
    );
    draft.change(
      { saved: session.saved, discarded: moved },
      to - from === 1 ? `Deleted turn ${from + 1}` : `Deleted ${amount(to - from, 'turn')}`,
    );
    await this.#parts.refresh();
  }

  async #branch(session: Session, index: number): Promise<void> {
    const { draft, announce, focusMessage } = this.#parts;
    const branches = this.#withCourse(session);
    session.rewind(index + 1);
    draft.change({ saved: session.saved, branches, ...this.#shortened(session) });
    announce(`Branched after turn ${index + 1}. The earlier course is a branch.`);
    await this.#parts.refresh();
    focusMessage();
  }

  // An answer is replaced; a message gets another answer.
  async #runAgain(session: Session, index: number): Promise<void> {
    const [turn] = session.turns(index);
    const length = turn?.content.role === 'model' ? index : index + 1;
    const { draft } = this.#parts;
    if (length < session.thread.length) {
      const branches = this.#withCourse(session);
      session.rewind(length);
      draft.change({ saved: session.saved, branches, ...this.#shortened(session) });
      await this.#parts.refresh();
    }
    this.#parts.resume();
  }

  // Returns the branches with the course that is shown.
  #withCourse(session: Session, branches = this.#parts.draft.value.branches) {
    const turns = session.turns();
    if (turns.length === 0) return branches;
    return withBranch(branches, { name: courseName(turns), saved: session.saved });
  }

  // Returns the discarded answers that still have a place.
  #shortened({ thread }: Session) {
    const { discarded } = this.#parts.draft.value;
    return { discarded: discarded.filter(({ after }) => after <= thread.length) };
  }
}
