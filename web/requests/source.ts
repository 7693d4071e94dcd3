// A file in which requests are found, and positions in it.

/** A file and its bytes. */
export interface Source {
  /** The name as given on the command line; `<stdin>` for standard input. */
  name: string;
  bytes: Uint8Array;
}

/** A position in a file. Both numbers start at 1; columns are in UTF-16 code units, as in editors. */
export interface Place {
  line: number;
  column: number;
}
