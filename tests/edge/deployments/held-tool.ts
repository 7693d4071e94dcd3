// A deployment for tests: a tool of the deployment that returns when the test lets it, threads that expire, and one
// with an explicit cache.
import { PausedCall, type FunctionTool, type ToolSource } from '../../../web/index.js';
import { defineDeployment } from '../../../web/worker/define-deployment.js';

// The test answers this address.
const hold: FunctionTool = {
  name: 'hold',
  run: async (args, { signal }) =>
    (await fetch('https://tools.test/hold', { method: 'POST', signal })).text(),
};

let traps = 1;

// Makes the next call into the core end its instance, once.
const trap: FunctionTool = {
  name: 'trap',
  run() {
    if (traps-- <= 0) return 'survived';
    const { prototype } = TextEncoder;
    const { encodeInto } = prototype;
    prototype.encodeInto = () => {
      prototype.encodeInto = encodeInto;
      throw new Error('thrown by the test');
    };
    return 'lost';
  },
};

// Pauses its call, which only tools of callers may do.
const pause: FunctionTool = {
  name: 'pause',
  run() {
    throw new PausedCall();
  },
};

// Discovers nothing, and fails when the test says so.
const source: ToolSource = {
  async discover({ signal }) {
    const response = await fetch('https://tools.test/source', { signal });
    if ((await response.text()) === 'down') throw new Error('no tools today');
    return [];
  },
};

export default defineDeployment({
  configurations: {
    held: { tools: [hold, trap, pause], callerTools: true },
    closed: { tools: [hold] },
    hidden: { tools: [hold], callerTools: true, hideToolResults: true },
    sourced: { tools: [hold, source], callerTools: true },
    brief: { expiresAfterMs: 1500, callerTools: true },
    cached: { systemInstruction: 'Name your sources. '.repeat(1500), caching: true },
  },
  default: 'held',
});
