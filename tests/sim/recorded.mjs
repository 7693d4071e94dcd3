// Builds a trace from the usage of recorded answers. The requests are small, so caching must not add any cost.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

function usageOf(path) {
  const text = readFileSync(path, 'utf8');
  const answers = path.endsWith('.txt') ? text.trim().split('\n') : [text];
  return answers.map((answer) => JSON.parse(answer).usageMetadata).findLast(Boolean);
}

/** Returns the trace of the answers in `folder`, or an empty list if the folder is missing. */
export function recordedTraces(folder) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => /^google-(?!429)/.test(file));
  const usages = files.map((file) => usageOf(join(folder, file)));
  const requests = usages.map(({ promptTokenCount, cachedContentTokenCount = 0 }, i) => ({
    at: i * 60,
    opens: true,
    model: 'gemini-3.1-pro',
    prompt: promptTokenCount,
    fixed: 0,
    cacheable: promptTokenCount,
    implicit: cachedContentTokenCount,
  }));
  return [
    { name: 'recorded answers', kind: 'recorded', model: 'gemini-3.1-pro', rate: 0, requests },
  ];
}
