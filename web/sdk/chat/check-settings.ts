// Checks the settings of a conversation's options when it is created: a field that is misspelled is a mistake of the
// program.
import { withDisposable } from '../internal/lifetime.js';
import type { Strata } from '../types/strata.js';
import { clockOf } from './conversation-thread.js';
import type { ConversationOptions } from './options.js';
import { refusal } from './stages.js';

/**
 * Checks the settings that each request of a conversation has, before the first one.
 *
 * @throws StrataError for a setting that the API would refuse
 * @internal
 */
export function checkSettings(strata: Strata, options: ConversationOptions): void {
  const { model, backend, generationConfig, safetySettings } = options;
  if ((generationConfig ?? safetySettings) === undefined) return;
  const settings = { generationConfig, safetySettings };
  const found = withDisposable(strata.thread({ model, backend }), (thread) => {
    return thread.assemble({
      ...settings,
      now: clockOf(options)(),
      trigger: '-',
    });
  });
  const fault = found.diagnostics.find(
    ({ severity, path }) => severity === 'error' && isSetting(path),
  );
  if (fault) throw refusal(fault, found.diagnostics);
}

const isSetting = (path: string) => /^\/(generationConfig|safetySettings)\b/.test(path);
