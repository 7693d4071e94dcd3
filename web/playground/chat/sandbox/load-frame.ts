// Loads the frame of the sandbox, from the network or from what the service worker has kept.
import { element } from '../../../ui/dom.js';
import type { FrameMessage } from './messages.js';

// How long a frame may take to load, and how long if there is another way to load it.
const patienceMs = 5000;
const shortPatienceMs = 1500;

function createFrame(...permissions: string[]): HTMLIFrameElement {
  const frame = element('iframe', { src: new URL('sandbox.html', document.baseURI).href });
  frame.sandbox.add(...permissions);
  frame.hidden = true;
  frame.title = 'Sandbox';
  return frame;
}

// No service worker answers a frame whose attribute makes its origin opaque.
const fromNetwork = () => createFrame('allow-scripts');

// The answer of the service worker makes the origin of this frame opaque. A frame that has the origin of the page
// never counts as loaded, so it gets no script.
const fromServiceWorker = () => createFrame('allow-scripts', 'allow-same-origin');

/** Whether a message comes from this frame, and the frame has an opaque origin. */
export const isFrom = (frame: HTMLIFrameElement, { source, origin }: MessageEvent): boolean =>
  source === frame.contentWindow && origin === 'null';

/** Adds a frame to the page. Returns whether it listens in time; if not, removes it. */
function appended(frame: HTMLIFrameElement, timeMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isReady: boolean) => {
      clearTimeout(timer);
      removeEventListener('message', receive);
      signal.removeEventListener('abort', stop);
      if (!isReady) frame.remove();
      resolve(isReady);
    };
    const stop = () => end(false);
    const receive = (event: MessageEvent<FrameMessage>) => {
      if (isFrom(frame, event) && event.data.type === 'ready') end(true);
    };
    const timer = setTimeout(stop, timeMs);
    addEventListener('message', receive);
    signal.addEventListener('abort', stop);
    document.body.append(frame);
  });
}

/** Returns a frame of an opaque origin that listens; undefined if none loaded. */
export async function loadFrame(signal: AbortSignal): Promise<HTMLIFrameElement | undefined> {
  const isKept = Boolean(navigator.serviceWorker?.controller);
  if (navigator.onLine || !isKept) {
    const frame = fromNetwork();
    if (await appended(frame, isKept ? shortPatienceMs : patienceMs, signal)) return frame;
  }
  if (!isKept || signal.aborted) return undefined;
  const frame = fromServiceWorker();
  return (await appended(frame, patienceMs, signal)) ? frame : undefined;
}
