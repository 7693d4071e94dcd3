// Kills workerd six times during conversations with tools. `npm run verify -- kills` does it 300 times.
import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { createEmulator } from 'prompt-strata/testing';
import { bundleWorker } from '../../scripts/setup/worker.mjs';
import { deployment, runKills, scenarios } from '../verify/threads/kill-trial.mjs';

before(() => bundleWorker(deployment));

const killsIn = {
  'tools of the deployment': 1,
  'tools of the caller': 1,
  'both in one step': 1,
  'no tools': 1,
  'both, Interactions API': 1,
  'both, its history at Google': 1,
};

for (const [name, kills] of Object.entries(killsIn)) {
  test(`after SIGKILL nothing is lost or done twice, and the next send works: ${name}`, async () => {
    const options = { createEmulator, scenario: scenarios[name], kills, random: Math.random };
    const { phases, questions } = await runKills(options);
    assert.equal(
      Object.values(phases).reduce((sum, count) => sum + count, 0),
      kills,
    );
    assert.equal(questions, kills + 3);
  });
}
