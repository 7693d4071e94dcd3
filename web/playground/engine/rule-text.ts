// Defines what the catalogue says about a rule.

/** A source of a rule: with an address, or with the id of a recorded exchange. */
export interface RuleSource {
  text: string;
  url?: string;
  id?: string;
}

/** How the severity of a rule is known. */
export type Evidence = 'documented' | 'recorded' | 'reported' | 'inferred';

/** A value for all models, or for each generation. One that is left out has the value of the one before it. */
type ByGeneration = string | { [generation: string]: string };

export interface RuleText {
  /** How long a finding is valid: `turn` until a new turn opens, `request` for one request. */
  scope: string;
  why: string;
  /** Google's error messages, with placeholders. */
  google: string[];
  /** An `Evidence`, or one by backend and generation. */
  evidence: ByGeneration | { [backend: string]: ByGeneration };
}

/** Returns the generation in a model's name, such as 2.5; that of the newest models without one. */
function generationOf(model: string): number {
  const [, number] = /gemini-(\d+(?:\.\d+)?)/.exec(model) ?? [];
  return number === undefined ? Infinity : Number(number);
}

/** Returns how a rule's severity is known for a model at a service. */
export function evidenceFor(text: RuleText, model: string, backend: string): Evidence {
  const { evidence } = text;
  const own = typeof evidence === 'string' ? evidence : (evidence[backend] ?? evidence);
  if (typeof own === 'string') return own as Evidence;
  const generation = generationOf(model);
  const rows = Object.entries(own).sort(([a], [b]) => Number(a) - Number(b));
  const row = rows.findLast(([name]) => Number(name) <= generation) ?? rows[0];
  return (row?.[1] ?? 'inferred') as Evidence;
}
