// Finds the local variables in the body of a WebAssembly function.
import { Reader } from './wasm-functions.mjs';

// How many integers follow an instruction of one byte. Blocks, calls, branches and variables name something,
// loads and stores have an alignment and an offset; arithmetic, comparisons and conversions have nothing.
const operandsOf = new Uint8Array(256).fill(255);
const setOperands = (count, first, last = first) => operandsOf.fill(count, first, last + 1);
setOperands(0, 0x00, 0x01); // unreachable, nop
setOperands(1, 0x02, 0x04); // block, loop, if
setOperands(0, 0x05); // else
setOperands(0, 0x0b); // end
setOperands(1, 0x0c, 0x0d); // br, br_if
setOperands(0, 0x0f); // return
setOperands(1, 0x10); // call
setOperands(2, 0x11); // call_indirect
setOperands(0, 0x1a, 0x1b); // drop, select
setOperands(1, 0x23, 0x24); // global.get, global.set
setOperands(2, 0x28, 0x3e); // loads, stores
setOperands(1, 0x3f, 0x42); // memory.size, memory.grow, i32.const, i64.const
setOperands(0, 0x45, 0xc4); // i32.eqz to i64.extend32_s

const [localGet, localTee] = [0x20, 0x22];
const brTable = 0x0e;
const [f32Const, f64Const] = [0x43, 0x44];
const prefix = 0xfc;
const [memoryCopy, memoryFill] = [10, 11];

function skipPrefixed(reader) {
  const instruction = reader.number();
  if (instruction === memoryCopy) reader.take(2);
  else if (instruction === memoryFill) reader.take(1);
  else if (instruction > 7) throw new Error(`Unknown instruction 0xfc ${instruction}.`);
}

function skipOperands(reader, instruction) {
  if (instruction === brTable) {
    for (let left = reader.number(); left >= 0; left--) reader.number();
  } else if (instruction === f32Const) reader.take(4);
  else if (instruction === f64Const) reader.take(8);
  else if (instruction === prefix) skipPrefixed(reader);
  else if (operandsOf[instruction] === 255)
    throw new Error(`Unknown instruction 0x${instruction.toString(16)}.`);
  else for (let left = operandsOf[instruction]; left > 0; left--) reader.number();
}

/**
 * Returns how many local variables the body declares of each type, and where it uses variables: `at` is the position of
 * the number, which counts the parameters first.
 * @param {Uint8Array} body
 * @returns {{ declared: number[], uses: { at: number, variable: number }[] }}
 */
export function findLocals(body) {
  const reader = new Reader(body);
  const declared = Array.from({ length: reader.number() }, () => {
    const count = reader.number();
    reader.take(1);
    return count;
  });
  const uses = [];
  while (reader.at < body.length) {
    const instruction = body[reader.at++];
    if (instruction >= localGet && instruction <= localTee)
      uses.push({ at: reader.at, variable: reader.number() });
    else skipOperands(reader, instruction);
  }
  return { declared, uses };
}
