// Reads the rules of rules.json and the errors of the shell, and expands their values by service and generation.
// Fails if a rule does not say how its severity is known.
import { readFileSync } from 'node:fs';

const jsonOf = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** The rows of src/catalogue/rules.json. */
export const { rules } = jsonOf('rules.json');
/** The errors that no rule covers, and the kinds of a GeminiError. */
export const { errors, kinds: errorKinds } = jsonOf('./errors.json');

export const GENERATIONS = ['2', '2.5', '3', '3.6', '3.8', '4'];
export const BACKENDS = ['gemini', 'vertex'];
const EVIDENCE = ['documented', 'recorded', 'reported', 'inferred'];

/**
 * Returns the word that a value of a row has for a service and a generation. A value is one word, or one for each
 * generation, or one of these for each service. A generation without a word has that of the one before it, and the
 * first ones have the first word.
 */
export function wordOf(value, backend, generation) {
  const byBackend = value[backend] ?? value;
  if (typeof byBackend === 'string') return byBackend;
  const known = GENERATIONS.slice(0, GENERATIONS.indexOf(generation) + 1);
  const named = known.findLast((name) => name in byBackend);
  return byBackend[named ?? GENERATIONS.find((name) => name in byBackend)];
}

/** Returns Google's text for a service, or ''. `name` is `upstream`, or `upstream2` for models up to Gemini 2.5. */
export function upstreamOf(row, backend, name = 'upstream') {
  const texts = row[name];
  if (typeof texts === 'string') return texts;
  return texts?.[backend] ?? texts?.gemini ?? '';
}

/** Returns Google's messages for a rule, of both services. */
export function googleTexts(row) {
  const texts = ['upstream', 'upstream2']
    .flatMap((name) => BACKENDS.map((backend) => upstreamOf(row, backend, name)))
    .filter(Boolean);
  return [...new Set(texts)];
}

// An error needs a document, a recorded exchange or a report; what is only inferred is at most a warning.
function checkEvidence({ code, severity, evidence, sources }) {
  if (!evidence || !sources?.length) throw new Error(`${code}: no evidence or no sources`);
  for (const { text, url, id } of sources) {
    if (!text || (!url && !id))
      throw new Error(`${code}: a source needs a text, and a url or an id`);
  }
  for (const backend of BACKENDS) {
    for (const generation of GENERATIONS) {
      const kind = wordOf(evidence, backend, generation);
      const place = `${code} on ${backend}, generation ${generation}`;
      if (!EVIDENCE.includes(kind)) throw new Error(`${place}: unknown evidence "${kind}"`);
      if (kind === 'inferred' && wordOf(severity, backend, generation) === 'error')
        throw new Error(`${place}: an error needs more evidence than "inferred"`);
    }
  }
}

rules.forEach(checkEvidence);
