// Names the note about the interaction that runs in the background, and what such notes hold.

/** The name of the note about the interaction that runs in the background. */
export const backgroundNote = 'background';

/** A note about an interaction of the first `turns` turns, of which the last one has the digest. */
export interface Kept {
  id: string;
  turns: number;
  model: string;
  digest: string;
}
