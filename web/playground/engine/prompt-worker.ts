// Judges prompts in a web worker, so that the page never waits for a template.
import { load, StrataError } from '../../index.js';
import { loadTemplates } from '../../templates/index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { analyzePrompt } from './prompt-analysis.js';
import {
  templateFailures,
  type Engines,
  type PromptCall,
  type PromptReply,
} from './prompt-result.js';
import { comparePlacements } from './placement-cost.js';

const loading = Promise.all([load(), loadTemplates()]).then(([strata, templates]): Engines => ({
  strata,
  templates,
}));
let newest = 0;

const reply = (message: PromptReply) => postMessage(message);

/** Lets newer messages arrive; false if one did. */
const pauseFor = (id: number) => async () => {
  await new Promise((resolve) => setTimeout(resolve));
  return id === newest;
};

async function answer(engines: Engines, { id, question }: PromptCall): Promise<void> {
  const analysis = analyzePrompt(engines, question);
  reply({ id, type: 'analysis', analysis });
  // What a prompt with an error costs says nothing about the one that is meant.
  if (templateFailures(analysis).length > 0) return;
  const placements = await comparePlacements(engines, question, pauseFor(id));
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
