// Shows a message of the user, and what every turn has: its parts, its buttons, and the forms that change it.
import type { Part, Diagnostic } from '../../index.js';
import { Button, FoldedCode, useHandedFocus } from '../../ui/elements.js';
import { amount } from '../../ui/format.js';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Chat, TurnForm } from './chat.js';
import { FindingList } from './findings.js';
import { editableTexts, excerptOf, textOfContent, type SavedTurn } from './turns.js';

// Images that cannot load anything else.
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

const bytesOf = (base64: string) => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);

function Media({ mimeType, data }: { mimeType: string; data: string }) {
  const size = amount(bytesOf(data), 'byte');
  if (!shownTypes.has(mimeType))
    return <p class="note">{`Data of the type ${mimeType}, ${size}`}</p>;
  return (
    <figure class="image">
      <img src={`data:${mimeType};base64,${data}`} loading="lazy" alt={`Image, ${mimeType}`} />
      <figcaption>{`${mimeType}, ${size}`}</figcaption>
    </figure>
  );
}

export function PartView({ part }: { part: Part }) {
  const { inlineData, fileData, executableCode, codeExecutionResult } = part;
  if (inlineData?.mimeType !== undefined && inlineData.data !== undefined)
    return <Media mimeType={inlineData.mimeType} data={inlineData.data} />;
  // The file is not loaded: it needs a key.
  if (fileData) return <p class="note">{`File ${fileData.fileUri ?? ''}`}</p>;
  if (executableCode)
    return <FoldedCode title="Code that Google runs" code={executableCode.code ?? ''} />;
  if (codeExecutionResult)
    return <FoldedCode title="Output of the code" code={codeExecutionResult.output ?? ''} />;
  return null;
}

interface TurnProps {
  chat: Chat;
  turn: SavedTurn;
}

export function TurnActions({ chat, turn }: TurnProps) {
  const { index, content } = turn;
  const button = (label: string, action: () => void, title?: string) => (
    <Button
      {...{ class: 'small', label, title, action }}
      aria-label={`${label} turn ${index + 1}`}
    />
  );
  return (
    <div class="row turn-actions" role="group" aria-label={`Turn ${index + 1}`}>
      {editableTexts(content).length > 0 &&
        button('Edit', () => (chat.form.value = { kind: 'edit', turn }))}
      {!(content.role === 'model' && index === 0) &&
        button('Run again', () => chat.runAgain(turn), runAgainTitle)}
      {button('Delete', () => chat.delete(turn))}
    </div>
  );
}

const runAgainTitle = 'Request the answer again. Ctrl+Z brings the earlier course back.';

export const formOf = (chat: Chat, turn: SavedTurn | undefined): TurnForm | undefined =>
  turn && chat.form.value?.turn.index === turn.index ? chat.form.value : undefined;

// Gives the focus back to the button that opened the form.
function close(chat: Chat, form: TurnForm): void {
  chat.form.value = undefined;
  const name = `${form.kind === 'edit' ? 'Edit' : 'Delete'} turn ${form.turn.index + 1}`;
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`.turn-actions [aria-label="${name}"]`)?.focus(),
  );
}

interface FormProps<Kind> {
  chat: Chat;
  form: TurnForm & { kind: Kind };
}

const keepPage = (event: Event) => event.preventDefault();

/** The fields with the texts of a turn. A message can be saved with a new answer. */
export function EditForm({ chat, form }: FormProps<'edit'>) {
  const { turn } = form;
  const { content, index } = turn;
  const [texts, setTexts] = useState(() => editableTexts(content));
  const [problem, setProblem] = useState<string | Diagnostic[]>();
  const first = useRef<HTMLTextAreaElement>(null);
  const whole = useHandedFocus<HTMLFormElement>();
  useLayoutEffect(() => first.current?.focus(), []);
  const isMessage = content.role !== 'model';
  const save = (runsAgain: boolean) => setProblem(chat.edit(turn, texts, runsAgain));
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close(chat, form);
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(isMessage);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form ref={whole} class="stack turn-form" onSubmit={keepPage} onKeyDown={onKey}>
      {texts.map((text, number) => (
        <textarea
          ref={number === 0 ? first : undefined}
          rows={Math.min(16, text.split('\n').length + 1)}
          aria-label={`Text ${texts.length > 1 ? `${number + 1} ` : ''}of turn ${index + 1}`}
          value={text}
          onInput={({ currentTarget }) => setTexts(texts.with(number, currentTarget.value))}
        />
      ))}
      <div role="alert">
        {typeof problem === 'string' && <p>{problem}</p>}
        {typeof problem === 'object' && (
          <>
            <p>Saving this would break the history:</p>
            <FindingList findings={problem} />
          </>
        )}
      </div>
      <div class="actions">
        <Button label="Save" action={() => save(false)} />
        {isMessage && <Button label="Save and run again" action={() => save(true)} />}
        <Button label="Cancel" action={() => close(chat, form)} />
      </div>
    </form>
  );
}

function describe({ index, content }: SavedTurn): string {
  const { role, parts } = content;
  const results = parts.flatMap(({ functionResponse }) => functionResponse?.name ?? []);
  const shown = [
    excerptOf(textOfContent(content)),
    ...parts.flatMap(({ functionCall }) => (functionCall ? `call of ${functionCall.name}` : [])),
    ...results.map((name) => `result of ${name}`),
  ];
  const speaker = role === 'model' ? 'Model' : results.length > 0 ? 'Tools' : 'You';
  return `Turn ${index + 1}, ${speaker}: ${shown.filter(Boolean).join(', ')}`;
}

/** Asks before more than one turn is deleted, and says why they go together. */
export function DeletionQuestion({ chat, form }: FormProps<'delete'>) {
  const { turn, deletion, others } = form;
  const number = turn.index + 1;
  const question = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => question.current?.querySelector('button')?.focus(), []);
  return (
    <div
      ref={question}
      class="card stack deletion"
      role="group"
      aria-label={`Delete turn ${number} and what belongs to it`}
    >
      <p>
        {`Deleting only turn ${number} would break the history: ${deletion.reason?.message ?? ''}`}
      </p>
      <p>This goes with it:</p>
      <ul>
        {others.map((other) => (
          <li>{describe(other)}</li>
        ))}
      </ul>
      <div class="actions">
        <Button
          label={`Delete ${amount(deletion.to - deletion.from, 'turn')}`}
          action={() => chat.confirmDeletion(deletion)}
        />
        <Button label="Cancel" action={() => close(chat, form)} />
      </div>
    </div>
  );
}

export function MessageTurn({ chat, turn }: TurnProps) {
  const { parts } = turn.content;
  const form = formOf(chat, turn);
  const text = parts.map((part) => part.text ?? '').join('\n');
  return (
    <article class="turn user">
      <h3 class="note">You</h3>
      {form?.kind === 'edit' ? (
        <EditForm chat={chat} form={form} />
      ) : (
        <>
          {text.trim() !== '' && <p class="card text">{text}</p>}
          {parts.map((part) => (
            <PartView part={part} />
          ))}
          <TurnActions chat={chat} turn={turn} />
        </>
      )}
      {form?.kind === 'delete' && <DeletionQuestion chat={chat} form={form} />}
    </article>
  );
}
