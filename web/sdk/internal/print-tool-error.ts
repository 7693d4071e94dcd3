// Prints what a tool threw where nobody else learns of it.

/** Prints an error with its stack. The model receives only its message. */
export function printToolError(error: unknown, { name }: { name: string }): void {
  console.error(`The tool ${name} failed:`, error);
}
