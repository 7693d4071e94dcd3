// Puts a gateway in front of an emulator that is as strict as Gemini 3.8 and gives the answers of a script.

/** A functionCall Part. */
export const call = (name, args, id) => ({ functionCall: { id, name, args } });

/** A Part with a signature. */
export const signed = (part, signature) => ({ ...part, thoughtSignature: btoa(signature) });

/** Returns the gateway, with the bodies that reach the emulator. */
export function strictGateway({ createEmulator, gateway: { createGateway } }, options, answers) {
  const bodies = [];
  const emulator = createEmulator({
    respond: ({ index }) => ({ parts: answers[(index - 1) % answers.length] }),
  });
  const upstream = (url, init) => {
    bodies.push(init.body && JSON.parse(new TextDecoder().decode(new Uint8Array(init.body))));
    return emulator(url, init);
  };
  return { gateway: createGateway({ upstream, ...options }), bodies };
}
