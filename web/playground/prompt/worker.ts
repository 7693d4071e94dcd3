// Judges prompts in a web worker, so that the page never waits for a template.
import { load, StrataError, type Strata } from '../../index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { analyzePrompt } from './analysis.js';
import type { PromptCall, PromptReply } from './analysis-types.js';
import { comparePlacements } from './placement-cost.js';

const loading = load();
let newest = 0;

const reply = (message: PromptReply) => postMessage(message);

/** Lets newer messages arrive; false if one did. */
const pauseFor = (id: number) => async () => {
  await new Promise((resolve) => setTimeout(resolve));
  return id === newest;
};

async function answer(strata: Strata, { id, question }: PromptCall): Promise<void> {
  reply({ id, type: 'analysis', analysis: analyzePrompt(strata, question) });
  const placements = await comparePlacements(strata, question, pauseFor(id));
  if (placements) reply({ id, type: 'placements', placements });
}

// After a trap, only a new worker has a working core.
const isFatal = (error: unknown) =>
  error instanceof StrataError && error.code.startsWith('instance.');

async function receive(call: PromptCall): Promise<void> {
  newest = call.id;
  try {
    await answer(await loading, call);
  } catch (error) {
    reply({ id: call.id, type: 'failed', message: messageOf(error), isFatal: isFatal(error) });
  }
}

addEventListener('message', ({ data }: MessageEvent<PromptCall>) => void receive(data));
