// Compares the ids of events, `<send>.<attempt>.<number>`, which grow with each event of a thread.

const form = /^\d+\.\d+\.\d+$/;

/** Returns whether a text is the id of an event. */
export const isEventId = (text: string): boolean => form.test(text);

/** Returns whether an event comes after the one with the id `last`, if there is one. */
export function isAfter(id: string, last: string | undefined): boolean {
  if (last === undefined) return true;
  const known = last.split('.').map(Number);
  const numbers = id.split('.').map(Number);
  const first = numbers.findIndex((number, index) => number !== known[index]);
  return first >= 0 && Number(numbers[first]) > Number(known[first]);
}

/** Returns the number of the send that an event belongs to. */
export const sendOf = (id: string): number => Number(id.split('.')[0]);
