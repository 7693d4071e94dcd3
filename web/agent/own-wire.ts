// Says through which API the requests of plugins go.
import type { PluginContext } from '../sdk/chat/plugin.js';

/**
 * Returns what `assemble` needs for a request to `model` on the Interactions API: if the conversation is there with that
 * model. Other models are asked through generateContent.
 */
export const ownWire = ({ wire, model: own }: PluginContext, model: string) =>
  wire === 'interactions' && model === own
    ? ({ wire, stream: true, placeholder: true } as const)
    : undefined;
