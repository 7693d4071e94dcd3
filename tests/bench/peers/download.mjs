// Measures what a browser downloads for a page that sends one message and shows the answer as it streams.
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { loadedWith } from '../../../scripts/setup/sizes.mjs';
import { names } from './candidates.mjs';

const show = 'document.body.append';

/** The smallest page of each client, as its documentation writes it. */
const pages = {
  'prompt-strata': {
    text: `import { connect } from 'prompt-strata';
      const chat = await connect({ apiKey: 'key', model: 'gemini-3.8-flash' });
      for await (const text of chat.stream('Hello').textStream) ${show}(text);`,
  },
  'google-genai-chats': {
    text: `import { GoogleGenAI } from '@google/genai';
      const chat = new GoogleGenAI({ apiKey: 'key' }).chats.create({ model: 'gemini-3.8-flash' });
      const stream = await chat.sendMessageStream({ message: 'Hello' });
      for await (const chunk of stream) ${show}(chunk.text);`,
  },
  firebase: {
    text: `import { getAI, getGenerativeModel, GoogleAIBackend } from '@firebase/ai';
      import { initializeApp } from '@firebase/app';
      const app = initializeApp({ apiKey: 'key', appId: '1:1:web:1', projectId: 'my-project' });
      const ai = getAI(app, { backend: new GoogleAIBackend() });
      const chat = getGenerativeModel(ai, { model: 'gemini-3.8-flash' }).startChat();
      const { stream } = await chat.sendMessageStream('Hello');
      for await (const chunk of stream) ${show}(chunk.text());`,
  },
  'ai-sdk': {
    text: `import { createGoogle } from '@ai-sdk/google';
      import { streamText } from 'ai';
      const model = createGoogle({ apiKey: 'key' })('gemini-3.8-flash');
      const messages = [{ role: 'user', content: 'Hello' }];
      for await (const text of streamText({ model, messages }).textStream) ${show}(text);`,
  },
  langchain: {
    text: `import { ChatGoogle } from '@langchain/google';
      const chat = new ChatGoogle({ model: 'gemini-3.8-flash', apiKey: 'key', platformType: 'gai' });
      for await (const chunk of await chat.stream('Hello')) ${show}(chunk.text);`,
  },
  genkit: {
    text: `import { googleAI } from '@genkit-ai/google-genai';
      import { genkit } from 'genkit';
      const ai = genkit({ plugins: [googleAI({ apiKey: 'key' })], model: googleAI.model('gemini-3.8-flash') });
      for await (const chunk of ai.generateStream('Hello').stream) ${show}(chunk.text);`,
  },
};

const sizesOf = (files) => ({
  minified: files.reduce((sum, file) => sum + file.length, 0),
  gzip: files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0),
  brotli: files.reduce((sum, file) => sum + brotliCompressSync(file).length, 0),
});

async function bundle(esbuild, folder, text) {
  const { metafile, outputFiles } = await esbuild.build({
    stdin: { contents: text, resolveDir: folder, sourcefile: 'page.mjs' },
    absWorkingDir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    outdir: 'pages',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const entry = Object.keys(metafile.outputs).find(
    (file) => metafile.outputs[file].entryPoint === 'page.mjs',
  );
  const loaded = [...loadedWith(metafile.outputs, entry)].map((file) => join(folder, file));
  return outputFiles.filter(({ path }) => loaded.includes(path)).map(({ contents }) => contents);
}

async function measurePage(esbuild, folder, [key, { text }]) {
  try {
    return { key, ...sizesOf(await bundle(esbuild, folder, text)) };
  } catch (error) {
    if (!error.errors) throw error;
    return { key, failure: `${error.errors.length} errors` };
  }
}

/** Returns the bytes of each page, or why it cannot be bundled. */
export async function measureDownload({ folder }) {
  const esbuild = await import('esbuild');
  const results = [];
  for (const page of Object.entries(pages)) results.push(await measurePage(esbuild, folder, page));
  return results;
}

const kB = (count) => `${(count / 1000).toFixed(1)} kB`;

/** Returns the table. */
export const downloadTable = (measured) => ({
  title: 'Peers: what a browser downloads',
  about:
    'A page that sends one message and shows the answer as it streams, bundled and minified by esbuild: all ' +
    'files that it loads before its first request, each compressed on its own (gzip -9, brotli 11), WebAssembly ' +
    'included. –: esbuild cannot bundle it for browsers.',
  head: ['client', 'minified', 'gzip', 'brotli'],
  rows: measured.map(({ key, failure, ...sizes }) => [
    names[key],
    ...(failure ? ['–', '–', '–'] : ['minified', 'gzip', 'brotli'].map((name) => kB(sizes[name]))),
  ]),
});
