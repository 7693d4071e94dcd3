// Continues a conversation as a client that drops signatures does.

/** Returns what follows an answer with calls: the calls without signatures, and their results. */
export function unsignedHistory({ candidates: [{ content }] }) {
  const parts = content.parts.map(({ functionCall }) => ({ functionCall }));
  const responses = parts.map(({ functionCall: { name, id } }) => ({
    functionResponse: { ...(id && { id }), name, response: { sky: 'clear' } },
  }));
  return [
    { role: 'model', parts },
    { role: 'user', parts: responses },
  ];
}
