// Provides a conversation of ten turns, so that a prompt can be judged before anybody has chatted with it.
import type { Content } from '../../index.js';

/** The number of turns before the newest message. */
export const simulatedTurns = 10;

const topics = [
  'the opening hours',
  'the way to the entrance',
  'the tickets for groups',
  'the guided tours',
  'the cloakroom',
  'the restaurant',
  'photographs',
  'the lift',
  'the archive',
  'the evening lectures',
  'the shop',
];

const question = (topic: string) => `What should visitors know about ${topic}? Please be specific.`;

const answer = (topic: string) =>
  `Here is what the handbook says about ${topic}. It is the same on every day of the week, and ` +
  'there is no difference between members and other visitors. Please tell the staff at the desk ' +
  'if you need help, and plan ten minutes for it. If something has changed since the handbook ' +
  'was printed, the board at the entrance shows it. For larger groups, write to us a week ahead, ' +
  'so that we can prepare what you need and tell you whom to ask for when you arrive.';

const text = (role: 'user' | 'model', value: string): Content => ({
  role,
  parts: [{ text: value }],
});

/** Returns the Contents: a question and an answer for each turn, and the newest question. */
export function simulatedConversation(): Content[] {
  const contents = topics.flatMap((topic) => [
    text('user', question(topic)),
    text('model', answer(topic)),
  ]);
  return contents.slice(0, 2 * simulatedTurns + 1);
}
