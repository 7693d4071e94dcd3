// A deployment for tests: configurations with and without tools of callers, and one that hides results.
import { defineDeployment } from '../../../web/worker/define-deployment.ts';
import { tools } from '../../../web/worker/tools.ts';

const systemInstruction = 'PRIVATE-INSTRUCTION';

export default defineDeployment({
  configurations: {
    open: { systemInstruction, tools, callerTools: true },
    hiding: { systemInstruction, tools, hideToolResults: true },
    closed: { systemInstruction },
  },
  default: 'open',
});
