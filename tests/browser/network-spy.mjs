// Counts who reaches a server, and makes a script that tries to reach it, and whatever else a sandbox must refuse.
import { createServer } from 'node:http';

/** A server that every page may read. */
export class NetworkSpy {
  #server;

  /** How many requests and connections came. */
  visits = 0;

  /** Its host and port. */
  get address() {
    return `127.0.0.1:${this.#server.address().port}`;
  }

  async start() {
    this.#server = createServer((_request, response) => {
      this.visits += 1;
      response.setHeader('access-control-allow-origin', '*').end('export default 1');
    });
    this.#server
      .on('connect', () => (this.visits += 1))
      .on('upgrade', (_request, socket) => {
        this.visits += 1;
        socket.destroy();
      });
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  stop() {
    this.#server.close();
  }
}

/** Returns a script of a tool that runs all attempts, and returns what each of them got. */
export const attempts = (address) => `
const url = 'http://${address}/';
const answer = async (attempt) => {
  try { return 'got ' + (await attempt()); } catch (error) { return 'refused'; }
};
const opened = (source) => new Promise((resolve, reject) => {
  source.onopen = () => resolve('open');
  source.onerror = reject;
});
const nested = () => new Promise((resolve, reject) => {
  const source = 'fetch("' + url + '").then(() => postMessage("fetched"), () => postMessage(""))';
  const worker = new Worker(URL.createObjectURL(new Blob([source])));
  worker.onmessage = ({ data }) => (data ? resolve(data) : reject());
  worker.onerror = reject;
});
return {
  fetch: await answer(() => fetch(url)),
  noCors: await answer(() => fetch(url, { mode: 'no-cors' })),
  socket: await answer(() => opened(new WebSocket('ws://${address}'))),
  events: await answer(() => opened(new EventSource(url))),
  import: await answer(() => import(url)),
  importScripts: await answer(() => importScripts(url)),
  nested: await answer(nested),
  eval: await answer(() => eval('1')),
  database: await answer(() => new Promise((resolve, reject) => {
    const request = indexedDB.open('prompt-strata');
    request.onsuccess = resolve;
    request.onerror = reject;
  })),
};`;
