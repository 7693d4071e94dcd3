// Generates the history of the conversations: questions, signed calls, their results, and answers.
import { conversation, small } from '../conversation.mjs';

// Other clients match results with calls by their ids.
function withId(content, index) {
  const parts = content.parts.map((part) => {
    if (part.functionCall)
      return { ...part, functionCall: { id: `call${index}`, ...part.functionCall } };
    if (!part.functionResponse) return part;
    return { functionResponse: { id: `call${index - 1}`, ...part.functionResponse } };
  });
  return { ...content, parts };
}

/** Returns `turns` Contents, as they would be read from a file: no two share a string or an object. */
export const history = (turns) =>
  JSON.parse(JSON.stringify(conversation(turns, small).map(withId)));
