// A leading U+FEFF is part of a text wherever bytes are decoded; only at the start of an HTTP body is it a byte
// order mark.
import { deepEqual, equal, ok } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const marked = '\uFEFFx';
const bytes = (text) => new TextEncoder().encode(text);
const text = (utf8) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8);
const turn = `{"role":"user","parts":[{"text":"${marked}"}]}`;

const says = (reply) => ({
  candidates: [{ content: { role: 'model', parts: [{ text: reply }] }, finishReason: 'STOP' }],
});

export default [
  {
    name: 'renders a leading U+FEFF of a template',
    async run({ templates: { loadTemplates } }) {
      const templates = await loadTemplates();
      equal(templates.template(marked).render({}), marked);
      equal(templates.template('{{ a }}').render({ a: marked }), marked);
      equal(templates.template('\uFEFF').render({}), '\uFEFF');
      const same = (value) => value;
      equal(
        templates.template('{{ a | same }}', { filters: { same } }).render({ a: marked }),
        marked,
      );
      const included = { templates: { part: marked } };
      equal(templates.template('{% include "part" %}', included).render({}), marked);
    },
  },
  {
    name: 'sends an instruction with its leading U+FEFF',
    async run({ load, templates: { loadTemplates } }) {
      const templates = await loadTemplates();
      const thread = (await load()).thread({ model });
      for (const layer of [
        { text: marked },
        { template: templates.template('{{ a }}'), variables: { a: marked } },
      ]) {
        const { body } = thread.assemble({
          now,
          static: layer,
          dynamic: { text: '' },
          trigger: marked,
        });
        const { systemInstruction, contents } = JSON.parse(text(body));
        equal(systemInstruction.parts[0].text, marked);
        deepEqual(
          contents.map(({ parts }) => parts[0].text),
          [marked],
        );
      }
    },
  },
  {
    name: 'keeps a leading U+FEFF when a thread is saved and loaded',
    async run({ load }) {
      const strata = await load();
      const thread = strata.thread({ model });
      thread.append(turn);
      const saved = thread.save();
      for (const from of [saved, text(saved)]) {
        equal(text(strata.thread({ model, from }).content(0)), turn);
      }
    },
  },
  {
    name: 'keeps a leading U+FEFF of an answer in its events and in the Content',
    async run({ load }) {
      const strata = await load();
      for (const body of [
        `data: ${JSON.stringify(says(marked))}\n\n`,
        JSON.stringify(says(marked)),
      ]) {
        const response = strata.response();
        const events = response.push(bytes(body));
        const { content } = response.finish();
        equal(JSON.parse(text(content)).parts[0].text, marked);
        for (const event of events) if (event.type === 'text') equal(event.text, marked);
      }
    },
  },
  {
    name: 'keeps a leading U+FEFF in a stored conversation',
    async run({ Conversation, createEmulator, GeminiClient, load, MemoryStore }) {
      const strata = await load();
      const store = new MemoryStore();
      const respond = () => ({ parts: [{ text: marked }] });
      const client = new GeminiClient({ fetch: createEmulator({ respond }) });
      const open = () => Conversation.open(strata, client, { model, store, id: 'a' });
      for await (const event of (await open()).send(marked)) void event;
      const { thread } = await open();
      equal(thread.length, 2);
      for (const index of [0, 1]) {
        equal(JSON.parse(text(thread.content(index))).parts[0].text, marked);
      }
      ok((await store.read('a')).every((line) => line.includes(marked)));
    },
  },
  {
    name: 'ignores the byte order mark of an HTTP body',
    async run({ GeminiClient }) {
      const fetch = async () => new Response(bytes('\uFEFF{"totalTokens": 7}'));
      const client = new GeminiClient({ fetch });
      const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
      equal(await client.countTokens(model, body), 7);
    },
  },
];
