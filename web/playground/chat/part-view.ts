// Shows the parts of an answer that are neither text nor calls: images, code and its output, files.
import type { Part } from '../../index.js';
import { amount, element, folded } from '../../ui/dom.js';

// Images that cannot load anything else.
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

interface Media {
  mimeType: string;
  data: string;
}

const bytesOf = (base64: string) => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);

function mediaView({ mimeType, data }: Media): HTMLElement {
  const size = amount(bytesOf(data), 'byte');
  if (!shownTypes.has(mimeType))
    return element('p', { className: 'note' }, `Data of the type ${mimeType}, ${size}`);
  const image = element('img', { src: `data:${mimeType};base64,${data}`, loading: 'lazy' });
  image.alt = `Image of the model, ${mimeType}`;
  const caption = element('figcaption', {}, `${mimeType}, ${size}`);
  return element('figure', { className: 'image' }, image, caption);
}

function codeView(title: string, code: string): HTMLElement {
  return folded(title, element('pre', { tabIndex: 0 }, element('code', {}, code)));
}

/** Returns the view of a part; undefined for one that shows nothing of its own. */
export function partView(part: Part): HTMLElement | undefined {
  const { inlineData, fileData, executableCode, codeExecutionResult } = part;
  if (inlineData?.mimeType !== undefined && inlineData.data !== undefined)
    return mediaView({ mimeType: inlineData.mimeType, data: inlineData.data });
  // The file is not loaded: it needs a key.
  if (fileData) return element('p', { className: 'note' }, `File ${fileData.fileUri ?? ''}`);
  if (executableCode) return codeView('Code that Google runs', executableCode.code ?? '');
  if (codeExecutionResult) return codeView('Output of the code', codeExecutionResult.output ?? '');
  return undefined;
}
