// Shows what the dialog Share holds: a link to the session, and a sentence about what is in it.
import { useState } from 'preact/hooks';
import { messageOf } from '../../../sdk/internal/messages.js';
import { CopyButton, Switch, useLoaded } from '../../../ui/elements.js';
import { amount, count } from '../../../ui/format.js';
import type { ViewContext } from '../../app.js';
import { hasSignatures, sharedDocument, linkOf } from './link.js';

/** Chat programs cut longer links. */
const safeLength = 32_000;

const linkNote =
  'The link holds this session, except a message that is not sent yet. API keys and tokens are removed. Browsers do not send what stands after the # to the server. Who opens it gets a copy to change.';
const keptNote =
  'Thought signatures are in the link, so who opens it sees the same findings as you.';
const removedNote =
  'Placeholders that Google accepts take their place: findings about signatures change, and the model no longer knows its earlier thoughts.';

// The link for the newest document and choice.
function useLink({ document: { value }, service }: ViewContext, signatures: boolean) {
  const make = async () => linkOf(sharedDocument(value, { signatures, apiKey: service.apiKey }));
  const { value: fragment, failure } = useLoaded(make, [value, signatures]);
  const { origin, pathname, search } = location;
  const url = fragment === undefined ? '' : origin + pathname + search + fragment;
  return { url, problem: failure === undefined ? undefined : messageOf(failure) };
}

function lengthNote({ length }: string): string {
  const long = `Chat programs cut links of more than ${count(safeLength)}: send it as a file or by mail.`;
  return `${amount(length, 'character')}. ${length > safeLength ? long : ''}`;
}

export function ShareContent({ context }: { context: ViewContext }) {
  const [isKept, keep] = useState(true);
  const { url, problem } = useLink(context, isKept);
  return (
    <div class="stack share">
      <p class="note">{linkNote}</p>
      <textarea
        id="link"
        class="code"
        aria-label="Link"
        rows={4}
        readOnly
        spellcheck={false}
        value={url}
        onFocus={(event) => event.currentTarget.select()}
      />
      {hasSignatures(context.document.value) && (
        <>
          <Switch
            label="Leave out thought signatures"
            isOn={!isKept}
            change={(isLeftOut) => keep(!isLeftOut)}
          />
          <p class="note">{isKept ? keptNote : removedNote}</p>
        </>
      )}
      {url !== '' && <CopyButton label="Copy link" text={() => url} />}
      <p class="note" role="status">
        {problem ?? (url && lengthNote(url))}
      </p>
    </div>
  );
}
