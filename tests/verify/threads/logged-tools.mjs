// The deployment of the kills: its tool tells a server outside of workerd about each run before it has a result.
import { defineDeployment } from '../../../web/worker/define-deployment.ts';

const log = {
  name: 'log',
  description: 'Logs a marker.',
  parameters: { type: 'OBJECT', properties: { marker: { type: 'STRING' } }, required: ['marker'] },
  async run({ marker }, { signal }) {
    const response = await fetch('http://tools.test/log', { method: 'POST', body: marker, signal });
    return response.json();
  },
};

const assistant = { tools: [log], callerTools: true };
const wire = 'interactions';

export default defineDeployment({
  configurations: {
    assistant,
    interactions: { ...assistant, wire },
    stateful: { ...assistant, wire, state: 'server' },
  },
  default: 'assistant',
});
