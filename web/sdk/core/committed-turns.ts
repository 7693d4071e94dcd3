// Reads the turns of a thread from the memory of a trapped instance, without a call into it.

/** The bytes of one turn, as views of the memory. */
export interface CommittedTurn {
  content: Uint8Array;
  meta: Uint8Array;
}

// CommittedTurns::kMark of src/thread/turn_log.h. Memory with another value was overwritten.
const mark = 0x54524e53;

/**
 * Returns the turns of the last commit; undefined if the memory was overwritten. `address` is that of a CommittedTurns
 * of src/thread/turn_log.h. All numbers are little-endian uint32.
 *
 *     CommittedTurns   mark | turns | places | contents | metas | next
 *     places           turns × (contentBegin | contentEnd | metaBegin | metaEnd)
 *     contents, metas  address of the address of the bytes
 *     next             address of a CommittedTurns with the turns that follow, or 0
 */
export function readCommittedTurns(memory: DataView, address: number): CommittedTurn[] | undefined {
  const word = (at: number, index = 0) => memory.getUint32(at + 4 * index, true);
  const bytes = (from: number, begin: number, end: number) =>
    new Uint8Array(memory.buffer, from + begin, end - begin);
  const turns: CommittedTurn[] = [];
  try {
    for (let at = address; at !== 0; at = word(at, 5)) {
      if (word(at) !== mark) return undefined;
      const [places, contents, metas] = [word(at, 2), word(word(at, 3)), word(word(at, 4))];
      for (let i = 0; i < word(at, 1); i++) {
        const place = places + 16 * i;
        turns.push({
          content: bytes(contents, word(place), word(place, 1)),
          meta: bytes(metas, word(place, 2), word(place, 3)),
        });
      }
    }
    return turns;
  } catch (error) {
    // An address outside of the memory.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
