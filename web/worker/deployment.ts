// Configures this deployment: the conversations that callers can have. Edit this file to make the Worker yours.
import { defineDeployment } from './define-deployment.js';
import { tools } from './tools.js';

const instruction =
  'You are a friendly assistant in a demonstration. Use the tools for weather and time, and say that ' +
  'the weather is invented.';

export default defineDeployment({
  configurations: {
    // `POST /threads {"configuration": "assistant"}` creates a thread with these options: docs/worker.md.
    assistant: {
      static: { variables: { main_instruction: instruction } },
      tools,
      callerTools: true,
    },
  },
  default: 'assistant',
});
