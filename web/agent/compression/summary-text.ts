// Finds the summary in the answer of the model that was asked for one.

// In front of the snapshot, which may speak of scratchpads itself. It ends at its tag, or before the snapshot if that is
// missing.
const scratchpad =
  /^((?:(?!<state_snapshot>)[\s\S])*?)<scratchpad>(?:[\s\S]*?<\/scratchpad>|[\s\S]*?(?=<state_snapshot>|$))/;

function withoutScratchpad(answer: string): string {
  let rest = answer;
  while (scratchpad.test(rest)) rest = rest.replace(scratchpad, '$1');
  return rest.trim();
}

const snapshot = /<state_snapshot>([\s\S]*)<\/state_snapshot>/;

/** Returns the snapshot in an answer with its tags, or '' if there is none or nothing in it. */
export function snapshotIn(answer: string): string {
  const [whole = '', content = ''] = snapshot.exec(withoutScratchpad(answer)) ?? [];
  return content.trim() === '' ? '' : whole;
}

/** Returns the snapshot in an answer; if it has no tags, all of the answer but its scratchpad. */
export function summaryIn(answer: string): string {
  const text = withoutScratchpad(answer);
  return snapshot.test(text) ? snapshotIn(text) : text;
}
