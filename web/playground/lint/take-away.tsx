// What comes after a check without errors: the request as code, or as a chat.
import { useEffect, useState } from 'preact/hooks';
import { Button, CopyButton } from '../../ui/elements.js';
import type { Format } from '../engine/export/formats.js';
import type { Analysis } from '../engine/lint-result.js';
import type { LintModel } from './model.js';

/** The buttons; none without a request. */
export function TakeAway({ model, analysis }: { model: LintModel; analysis: Analysis }) {
  const [formats, setFormats] = useState<readonly Format[]>([]);
  const { requests, chosen, body } = analysis;
  const request = requests[chosen];
  const isWhole = request !== undefined && body !== undefined && request.errors === 0;
  useEffect(() => {
    if (isWhole)
      void import('../engine/export/formats.js').then((module) => setFormats(module.formats));
  }, [isWhole]);
  if (!isWhole) return null;
  const isSteps = analysis.timeline?.turns[0]?.form === 'steps';
  const wire = isSteps ? 'interactions' : 'generateContent';
  const exported = { model: request.model, backend: request.backend, wire, body } as const;
  const code = formats.filter(({ name }) => name !== 'JSON');
  return (
    <div class="actions">
      <CopyButton isMain label="Copy request" text={() => body} />
      {code.map(({ name, write }) => (
        <CopyButton label={name} text={() => write(exported)} />
      ))}
      {!isSteps && <Button label="Try it in Chat" action={() => void model.tryInChat()} />}
    </div>
  );
}
