// Compares the spans of `citations` with the texts that Google says they are, in every recorded grounded answer, and in
// answers of the recorded form with characters of several bytes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { citations } from 'prompt-strata/citations';
import { missingFrom, sharedPath } from '../support/shared-folder.mjs';
import { exchanges, responsesOf, skip } from './traffic.mjs';

const noInteractions = missingFrom('recorded interactions', 'interactions');
const listOf = (value) => (Array.isArray(value) ? value : []);
const metadataOf = (responses) =>
  responses.flatMap(({ candidates }) => candidates?.[0]?.groundingMetadata ?? []);

/** Checks that each span is its text, and that they are in order. */
function checkSpans({ text, citations: found }, name) {
  let last = 0;
  for (const { start, end, text: cited, sources } of found) {
    assert.equal(text.slice(start, end), cited, name);
    assert.ok(start >= last && end > start, name);
    assert.ok(cited.isWellFormed?.() ?? true, name);
    assert.ok(Array.isArray(sources), name);
    last = start;
  }
}

test('each span of every recorded grounded answer is the cited text', { skip }, () => {
  let [answers, segments] = [0, 0];
  for (const exchange of exchanges) {
    const responses = responsesOf(exchange).map(Object);
    const metadata = metadataOf(responses);
    const supports = metadata.flatMap((each) => listOf(each.groundingSupports));
    if (metadata.length === 0) continue;
    const listed = metadata.flatMap((each) => listOf(each.groundingChunks)).length;
    const read = citations(responses);
    answers++;
    segments += supports.length;
    checkSpans(read, exchange.id);
    const texts = new Set(read.citations.map((each) => each.text));
    for (const { segment, groundingChunkIndices } of supports) {
      assert.ok(texts.has(segment.text), `${exchange.id} ${segment.text}`);
      const { sources } = read.citations.find((each) => each.text === segment.text);
      // One answer names more sources than it lists.
      const known = listOf(groundingChunkIndices).filter((index) => index < listed);
      assert.ok(sources.length > 0 || known.length === 0, exchange.id);
    }
    assert.equal(read.unplaced.length, 0, exchange.id);
  }
  assert.ok(answers > 30 && segments > 150, `${answers} ${segments}`);
});

test(
  'quoted texts of recorded answers have spans, if the answer is as long as they say',
  { skip },
  () => {
    let placed = 0;
    for (const exchange of exchanges) {
      const responses = responsesOf(exchange).map(Object);
      const quotes = responses.flatMap(({ candidates }) => {
        const { citationSources, citations: list } = candidates?.[0]?.citationMetadata ?? {};
        return listOf(citationSources ?? list);
      });
      if (quotes.length === 0) continue;
      const read = citations(responses);
      checkSpans(read, exchange.id);
      placed += read.citations.length;
      const sources = [...read.citations, ...read.unplaced].flatMap((each) => each.sources);
      assert.ok(sources.length > 0 && sources.every(({ kind }) => kind === 'quote'), exchange.id);
    }
    assert.ok(placed > 3, `${placed}`);
  },
);

test('annotations of a recorded interaction have spans', { skip: noInteractions }, () => {
  const answer = JSON.parse(readFileSync(sharedPath('interactions', 'google-search.json'), 'utf8'));
  const read = citations(answer);
  checkSpans(read);
  assert.deepEqual(citations(answer.steps), read);
  assert.ok(read.citations.length > 10);
  for (const { text, sources } of read.citations) {
    assert.match(text, /^[^a-z].*\.$/s);
    assert.ok(sources.every(({ kind, uri, title }) => kind === 'web' && uri && title));
  }
});

const bytes = (text) => new TextEncoder().encode(text).length;
const chunk = (title) => ({ web: { uri: `https://example.com/${title}`, title } });

// A grounded answer in the recorded form: each sentence is supported by one source.
function grounded(sentences, { parts = [sentences.join('')], before = '' } = {}) {
  let at = bytes(before);
  const groundingSupports = sentences.map((text, i) => {
    const segment = { ...(at > 0 && { startIndex: at }), endIndex: (at += bytes(text)), text };
    return { segment, groundingChunkIndices: [i] };
  });
  const groundingMetadata = {
    groundingChunks: sentences.map((_, i) => chunk(`page-${i}`)),
    groundingSupports,
  };
  const content = { role: 'model', parts: parts.map((text) => ({ text })) };
  return { candidates: [{ content, groundingMetadata, finishReason: 'STOP' }] };
}

const sentences = ['👩‍👩‍👧 Families 👨🏽‍🚀.', '北京是中国的首都。', ' Ünïcode é!', '🇳🇱🎉', 'plain.'];

test('spans count UTF-16 where Google counts bytes: emoji, Chinese, accents', () => {
  const read = citations(grounded(sentences));
  checkSpans(read);
  assert.deepEqual(
    read.citations.map(({ text, sources }) => [text, sources[0].title]),
    sentences.map((text, i) => [text, `page-${i}`]),
  );
  // Several Parts: the bytes count from the start of the text.
  const parts = [sentences.slice(0, 2).join(''), sentences.slice(2).join('')];
  assert.deepEqual(citations(grounded(sentences, { parts })).citations, read.citations);
});

test('spans are right in a stream, behind thoughts, and where bytes count from a Part', () => {
  const answer = grounded(sentences);
  const [{ groundingMetadata }] = answer.candidates;
  const streamed = [
    { candidates: [{ content: { parts: [{ text: '思考', thought: true }] } }] },
    ...sentences.map((text) => ({ candidates: [{ content: { parts: [{ text }] } }] })),
    { candidates: [{ content: { parts: [{ text: '' }] }, groundingMetadata }] },
  ];
  assert.deepEqual(citations(streamed), citations(answer));
  const segment = { partIndex: 1, endIndex: bytes(sentences[1]), text: sentences[1] };
  const ofPart = citations({
    candidates: [
      {
        content: { parts: [{ text: sentences[0] }, { text: sentences[1] }] },
        groundingMetadata: {
          groundingChunks: [chunk('a')],
          groundingSupports: [{ segment, groundingChunkIndices: [0] }],
        },
      },
    ],
  });
  checkSpans(ofPart);
  assert.equal(ofPart.citations[0].text, sentences[1]);
});

test('a text that is elsewhere is found, the nearest one; one that is not there is unplaced', () => {
  const answer = grounded(['same. ', 'other. ', 'same. '], { before: '\u00a0' });
  const { citations: found } = citations(answer);
  assert.deepEqual(
    found.map(({ start, text }) => [start, text]),
    [
      [0, 'same. '],
      [6, 'other. '],
      [13, 'same. '],
    ],
  );
  answer.candidates[0].content.parts[0].text = 'same. ';
  const read = citations(answer);
  assert.deepEqual(
    read.unplaced.map(({ text, sources }) => [text, sources[0].title]),
    [['other. ', 'page-1']],
  );
  assert.equal(read.sources.length, 3);
});

test('a span never ends within a character', () => {
  const text = '🎉 is quoted';
  const citationMetadata = {
    citationSources: [{ startIndex: 2, endIndex: 3, uri: 'https://a.example', license: 'mit' }],
  };
  const read = citations({ candidates: [{ content: { parts: [{ text }] }, citationMetadata }] });
  assert.deepEqual(read.citations, [
    {
      start: 0,
      end: 2,
      text: '🎉',
      sources: [{ kind: 'quote', uri: 'https://a.example', license: 'mit' }],
    },
  ]);
  citationMetadata.citationSources[0].endIndex = 900;
  const beyond = citations({ candidates: [{ content: { parts: [{ text }] }, citationMetadata }] });
  assert.deepEqual([beyond.citations, beyond.unplaced.length], [[], 1]);
});

test('all kinds of sources are read, on both APIs', () => {
  const groundingChunks = [
    { maps: { uri: 'https://maps.example', title: 'A place', placeId: 'places/1' } },
    {
      retrievedContext: {
        title: 'handbook.pdf',
        text: 'A passage',
        pageNumber: 4,
        fileSearchStore: 'x',
      },
    },
    { image: { sourceUri: 'https://images.example', imageUri: 'https://images.example/1.png' } },
    {},
  ];
  const segment = { endIndex: 3, text: '一' };
  const support = { segment, groundingChunkIndices: [0, 1, 9], confidenceScores: [0.5] };
  const read = citations({
    text: '一个',
    metadata: { groundingMetadata: { groundingChunks, groundingSupports: [support] } },
  });
  const place = {
    kind: 'maps',
    uri: 'https://maps.example',
    title: 'A place',
    placeId: 'places/1',
  };
  const file = { kind: 'file', title: 'handbook.pdf', text: 'A passage', pageNumber: 4 };
  assert.deepEqual(read.citations, [
    { start: 0, end: 1, text: '一', sources: [{ ...place, confidence: 0.5 }, file] },
  ]);
  assert.deepEqual(read.sources.slice(0, 3), [
    place,
    file,
    { kind: 'image', uri: 'https://images.example' },
  ]);

  const steps = [
    { type: 'thought', signature: 'c2ln' },
    { type: 'model_output', content: [{ type: 'text', text: '東京 🗼' }] },
    {
      type: 'model_output',
      content: [
        {
          type: 'text',
          text: '京都 ⛩️ 大阪',
          annotations: [
            {
              type: 'place_citation',
              start_index: 0,
              end_index: 6,
              name: 'Kyoto',
              url: 'https://p.example',
              place_id: '1',
            },
            {
              type: 'file_citation',
              start_index: 14,
              end_index: 20,
              file_name: 'osaka.pdf',
              page_number: 2,
            },
            { type: 'word_info', start_index: 0, end_index: 3 },
          ],
        },
      ],
    },
  ];
  const ofSteps = citations(steps);
  checkSpans(ofSteps);
  assert.equal(ofSteps.text, '東京 🗼京都 ⛩️ 大阪');
  assert.deepEqual(
    ofSteps.citations.map(({ text, sources }) => [text, sources[0]]),
    [
      ['京都', { kind: 'maps', uri: 'https://p.example', title: 'Kyoto', placeId: '1' }],
      ['大阪', { kind: 'file', title: 'osaka.pdf', pageNumber: 2 }],
    ],
  );
});

test('citations of one piece are joined, and an answer without any has none', () => {
  const answer = grounded(['一。', '二。']);
  const { groundingMetadata } = answer.candidates[0];
  groundingMetadata.groundingSupports.push({
    ...groundingMetadata.groundingSupports[0],
    groundingChunkIndices: [1, 0],
  });
  const [first] = citations(answer).citations;
  assert.deepEqual(
    first.sources.map(({ title }) => title),
    ['page-0', 'page-1'],
  );
  const none = { citations: [], sources: [], unplaced: [] };
  assert.deepEqual(citations({ candidates: [{ content: { parts: [{ text: 'Hi' }] } }] }), {
    text: 'Hi',
    ...none,
  });
  assert.deepEqual(citations({}), { text: '', ...none });
  assert.throws(() => citations('Hi'), { code: 'field.invalid' });
  assert.throws(() => citations(null), { code: 'field.invalid' });
});
