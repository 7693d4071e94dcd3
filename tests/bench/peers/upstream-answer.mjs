// The short answer of the stand-in for the network, in both of its forms.
import { encode } from '../conversation.mjs';

/** Its text. */
export const answerText = 'Light rain, 18 degrees.';

const content = { role: 'model', parts: [{ text: answerText }] };
const answer = {
  candidates: [{ content, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 812, candidatesTokenCount: 7, totalTokenCount: 819 },
  modelVersion: 'gemini-3.8-flash',
  responseId: 'bench',
};

/** The answer as JSON. */
export const wholeAnswer = encode(answer);

/** The answer as the only server-sent event of a stream. */
export const answerEvent = new TextEncoder().encode(`data: ${JSON.stringify(answer)}\r\n\r\n`);
