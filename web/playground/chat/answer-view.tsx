// Shows an answer of the model: folded thoughts, Markdown, calls, images, signatures, and its numbers.
import type { Part } from '../../index.js';
import { Folded } from '../../ui/elements.js';
import { count } from '../../ui/format.js';
import type { AnswerNumbers } from '../state/playground-document.js';
import type { Answer } from './log.js';
import { CallView, SignatureLine } from './call-view.js';
import type { Chat } from './chat.js';
import MarkdownIt from 'markdown-it';
import { useMemo } from 'preact/hooks';
import { PartView, DeletionQuestion, EditForm, formOf, TurnActions } from './turn-view.js';
import { dollarsOf, finishWords } from './words.js';

// Without tags of HTML, what it renders is safe to insert: it escapes all text.
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
const { rules } = parser.renderer;

const hostOf = (address: string) => new URL(address).host;

// Other addresses, relative ones too, stay text.
parser.validateLink = (address) => /^https?:\/\//i.test(address) && URL.canParse(address);

// Opens a link, whose host the style sheet shows behind it, and without a referrer.
const openLink = (address: string) =>
  `<a href="${parser.utils.escapeHtml(address)}" target="_blank" rel="noopener noreferrer" data-host="${parser.utils.escapeHtml(hostOf(address))}">`;

rules['link_open'] = (tokens, index) => openLink(String(tokens[index]?.attrGet('href')));

// A link to the image: it is not loaded, because that would tell its server who reads the answer.
rules['image'] = (tokens, index) => {
  const { content = '' } = tokens[index] ?? {};
  const name = parser.utils.escapeHtml(content === '' ? 'image' : `image: ${content}`);
  return `${openLink(String(tokens[index]?.attrGet('src')))}${name}</a>`;
};

// The headings of an answer are below the heading of its turn.
const headings: { [tag: string]: string } = { h1: 'h4', h2: 'h5' };
const heading = (tag = '') => headings[tag] ?? 'h6';
rules['heading_open'] = (tokens, index) => `<${heading(tokens[index]?.tag)}>`;
rules['heading_close'] = (tokens, index) => `</${heading(tokens[index]?.tag)}>\n`;

// Code scrolls, so it can be reached with the keyboard.
const code: typeof rules.fence = (tokens, index) =>
  `<pre tabindex="0"><code>${parser.utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;
rules.fence = code;
rules.code_block = code;

function Markdown({ source }: { source: string }) {
  const html = useMemo(() => parser.render(source).trimEnd(), [source]);
  return <div class="text" dangerouslySetInnerHTML={{ __html: html }} />;
}

function Piece({ chat, answer, part }: { chat: Chat; answer: Answer; part: Part }) {
  const { text = '', thought, thoughtSignature = '' } = part;
  const call = answer.calls.find((one) => one.part === part);
  return (
    <>
      {text !== '' && thought && (
        <div class="thoughts">
          <Folded title="Thoughts">
            <Markdown source={text} />
          </Folded>
        </div>
      )}
      {text !== '' && !thought && <Markdown source={text} />}
      <PartView part={part} />
      {call && <CallView chat={chat} call={call} />}
      {!call && thoughtSignature !== '' && <SignatureLine chat={chat} text={thoughtSignature} />}
    </>
  );
}

// What the answer took and cost, in one line.
function numberWords({ input, cached = 0, thought = 0, output = 0, ...rest }: AnswerNumbers) {
  const { cost, finishReason } = rest;
  const tokens = { in: input ?? 0, cached, thoughts: thought, out: output };
  const counts = Object.entries(tokens).map(([word, number]) => `${count(number)} ${word}`);
  const reported = input === undefined ? ['Tokens not reported'] : counts;
  const end = finishReason === 'STOP' || finishReason === '' ? [] : [finishWords(finishReason)];
  return [...reported, cost === undefined ? 'cost unknown' : dollarsOf(cost), ...end].join(' · ');
}

/** An answer, while it streams and afterwards. */
export function AnswerView({ chat, answer }: { chat: Chat; answer: Answer }) {
  const [parts, notes] = [answer.parts.value, answer.notes.value];
  const turn = answer.turn.value;
  const numbers = answer.numbers.value;
  const form = formOf(chat, turn);
  const isWaiting = !turn && parts.length + notes.length === 0 && chat.sending.value;
  const state = answer.isDiscarded.value ? 'discarded' : isWaiting ? 'waiting' : '';
  return (
    <article class={`turn model ${state}`}>
      <h3 class="note">
        {turn?.model ?? 'Model'}
        {turn?.form === 'interactions' && (
          <small title="Kept as steps of the Interactions API"> steps</small>
        )}
      </h3>
      {form?.kind === 'edit' ? (
        <EditForm chat={chat} form={form} />
      ) : (
        parts.map((part) => <Piece chat={chat} answer={answer} part={part} />)
      )}
      {notes.map((text) => (
        <p class="note">{text}</p>
      ))}
      {turn && form?.kind !== 'edit' && (
        <div class="row between turn-footer">
          {numbers && (
            <p class="numbers note" title="The tokens of this answer, and their list price">
              {numberWords(numbers)}
            </p>
          )}
          <TurnActions chat={chat} turn={turn} />
        </div>
      )}
      {form?.kind === 'delete' && <DeletionQuestion chat={chat} form={form} />}
    </article>
  );
}
