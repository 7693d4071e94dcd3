// Compares the event table of docs/conversation.md with the members of the type ConversationEvent.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import ts from 'typescript';
import { root } from '../../scripts/setup/run.mjs';

const source = join(root, 'web', 'sdk', 'types', 'conversation-event.ts');
const document = join(root, 'docs', 'conversation.md');

/** Returns the literals of `type` in all members of ConversationEvent, those of StreamEvent included. */
function declaredTypes() {
  const program = ts.createProgram([source], {
    module: ts.ModuleKind.NodeNext,
    noLib: true,
    strict: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const isUnion = (node) =>
    ts.isTypeAliasDeclaration(node) && node.name.text === 'ConversationEvent';
  const union = checker.getTypeAtLocation(program.getSourceFile(source).statements.find(isUnion));
  const literals = union.types.flatMap((member) => {
    const type = checker.getTypeOfSymbol(member.getProperty('type'));
    return (type.isUnion() ? type.types : [type]).map(({ value }) => value);
  });
  return [...new Set(literals)].sort();
}

/** Returns the first cell of each row of the table with the column "Event type", without backticks. */
function documentedTypes() {
  const table = /^\| Event type \|.*\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(
    readFileSync(document, 'utf8'),
  );
  return table[1]
    .trimEnd()
    .split('\n')
    .map((row) => /^\| `(\w+)` \|/.exec(row)?.[1] ?? row)
    .sort();
}

test('the union of events is read, with the events of a stream', () => {
  const declared = declaredTypes();
  for (const type of ['request', 'text', 'thought', 'compressed', 'done']) {
    assert.ok(declared.includes(type), type);
  }
});

test('docs/conversation.md lists each event type once and no other', () => {
  assert.deepEqual(documentedTypes(), declaredTypes());
});
