// Parts of the chat that need no browser: how it writes costs, and how it names earlier courses.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importParts } from './lint-parts.mjs';

const { dollarsOf, savedCourseName } = await importParts(
  'playground/chat/branches',
  'playground/chat/dollars',
);

describe('the cost of an answer', () => {
  it('is written with its size, however large', () => {
    const costs = { 0.000004: '$0.000004', 0.0123: '$0.012', 1.234: '$1.2', 12.3: '$12' };
    for (const [cost, text] of Object.entries(costs)) assert.equal(dollarsOf(Number(cost)), text);
    assert.equal(dollarsOf(123.4), '$123');
    assert.equal(dollarsOf(12345), '$12,345');
  });
});

describe('an earlier course', () => {
  it('has a name, also if its turns cannot be read', () => {
    const content = { role: 'user', parts: [{ text: 'Hello' }] };
    assert.equal(savedCourseName(JSON.stringify({ content })), 'Hello (1 turn)');
    assert.equal(savedCourseName('no JSON'), 'Earlier chat');
  });
});
