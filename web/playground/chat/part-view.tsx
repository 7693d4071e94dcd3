// Shows what a part has besides text and calls: an image, code and its output, a file. Nothing is loaded for it.
import type { Part } from '../../index.js';
import { Folded } from '../../ui/elements.js';
import { amount } from '../../ui/format.js';

// Images that cannot load anything else.
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

const bytesOf = (base64: string) => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);

function Media({ mimeType, data }: { mimeType: string; data: string }) {
  const size = amount(bytesOf(data), 'byte');
  if (!shownTypes.has(mimeType))
    return <p class="note">{`Data of the type ${mimeType}, ${size}`}</p>;
  return (
    <figure class="image">
      <img
        src={`data:${mimeType};base64,${data}`}
        loading="lazy"
        alt={`Image of the model, ${mimeType}`}
      />
      <figcaption>{`${mimeType}, ${size}`}</figcaption>
    </figure>
  );
}

function Code({ title, code }: { title: string; code: string }) {
  return (
    <Folded title={title}>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </Folded>
  );
}

/** What a part shows of its own. */
export function PartView({ part }: { part: Part }) {
  const { inlineData, fileData, executableCode, codeExecutionResult } = part;
  if (inlineData?.mimeType !== undefined && inlineData.data !== undefined)
    return <Media mimeType={inlineData.mimeType} data={inlineData.data} />;
  // The file is not loaded: it needs a key.
  if (fileData) return <p class="note">{`File ${fileData.fileUri ?? ''}`}</p>;
  if (executableCode)
    return <Code title="Code that Google runs" code={executableCode.code ?? ''} />;
  if (codeExecutionResult)
    return <Code title="Output of the code" code={codeExecutionResult.output ?? ''} />;
  return null;
}
