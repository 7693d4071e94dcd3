// Runs a program that answers each input line with one line of JSON, and restarts it when it ends.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class LineProcess {
  #command;
  #args;
  #timeout;
  #child;
  #waiting = [];
  #clock;

  /** @param {number} timeout milliseconds without an answer after which the program is killed */
  constructor(command, args = [], { timeout = 20_000 } = {}) {
    this.#command = command;
    this.#args = args;
    this.#timeout = timeout;
  }

  #start() {
    const child = spawn(this.#command, this.#args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let errorOutput = '';
    child.stderr.on('data', (data) => (errorOutput = `${errorOutput}${data}`.slice(-2000)));
    // A write that fails is reported when the program ends.
    child.stdin.on('error', () => {});
    const end = (reason) => this.#end(child, reason, errorOutput);
    child.on('error', (error) => end(error.message));
    child.on('close', (code, signal) => end(signal ? `signal ${signal}` : `exit code ${code}`));
    createInterface({ input: child.stdout }).on('line', (line) => this.#receive(line));
    return child;
  }

  #receive(line) {
    this.#waiting.shift()?.resolve(JSON.parse(line));
    this.#watch();
  }

  // The timeout applies to the oldest line.
  #watch() {
    clearTimeout(this.#clock);
    if (this.#waiting.length === 0) return;
    this.#clock = setTimeout(() => this.#child?.kill('SIGKILL'), this.#timeout);
  }

  // The oldest line ended the program; the other lines are sent again.
  #end(child, reason, errorOutput) {
    if (child !== this.#child) return;
    clearTimeout(this.#clock);
    this.#child = undefined;
    const [first, ...others] = this.#waiting;
    this.#waiting = [];
    first?.resolve({ err: { kind: 'ended', message: `${reason}\n${errorOutput}`.trim() } });
    for (const { line, resolve } of others) this.#send(line, resolve);
  }

  #send(line, resolve) {
    this.#child ??= this.#start();
    this.#waiting.push({ line, resolve });
    if (this.#waiting.length === 1) this.#watch();
    this.#child.stdin.write(`${line}\n`);
  }

  /** Resolves with the answer to a line, or with `{ err: { kind: 'ended' } }` if the program ended instead. */
  ask(line) {
    return new Promise((resolve) => this.#send(line, resolve));
  }

  close() {
    const child = this.#child;
    this.#child = undefined;
    clearTimeout(this.#clock);
    child?.stdin.end();
    child?.kill();
  }
}
