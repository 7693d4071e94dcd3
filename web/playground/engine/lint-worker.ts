// Runs the lint engine in a worker, so that the page never waits for it.
import { loadChecker } from '../../check/index.js';
import { analyze } from './lint-analysis.js';
import { answerQuestions } from './workers.js';

const core = loadChecker();
// Each answer reports the failure.
core.catch(() => {});

answerQuestions<'lint'>(async ({ text, options }) => analyze(await core, text, options));
