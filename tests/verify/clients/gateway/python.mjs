// A Python program that uses only its standard library.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { declarations, key, model, questions } from './conversation.mjs';

const program = join(import.meta.dirname, 'plain.py');

export default {
  async program(baseUrl) {
    const settings = JSON.stringify({ declarations, key, model, questions });
    const { stdout } = await promisify(execFile)('python3', [program, baseUrl, settings]);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return (question) => answers[questions.indexOf(question)];
  },
};
