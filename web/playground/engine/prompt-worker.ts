// Judges prompts in a web worker, so that the page never waits for a template.
import { load } from '../../index.js';
import { loadTemplates } from '../../templates/index.js';
import { analyzePrompt, comparePlacements } from './prompt-analysis.js';
import { templateFailures, type Engines } from './prompt-result.js';
import { answerQuestions } from './workers.js';

const loading = Promise.all([load(), loadTemplates()]).then(([strata, templates]): Engines => ({
  strata,
  templates,
}));
// Each answer reports the failure.
loading.catch(() => {});

answerQuestions<'prompt'>(
  async (question) => analyzePrompt(await loading, question),
  async (question, analysis, { sendMore, isNewest }) => {
    // What a prompt with an error costs says nothing about the one that is meant.
    if (templateFailures(analysis).length > 0) return;
    const placements = await comparePlacements(await loading, question, isNewest);
    if (placements) sendMore(placements);
  },
);
