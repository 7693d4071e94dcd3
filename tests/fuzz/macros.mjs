// Generates random macros, calls, and call blocks.
import { statements } from './statements.mjs';

const extras = [
  '{{ varargs }}',
  '{{ kwargs }}',
  '{{ caller() if caller else "-" }}',
  "{{ caller('c') if caller }}",
  '{{ varargs | length }}{{ kwargs | dictsort }}',
];

/** Returns a macro with a text parameter, an integer parameter with a default, and sometimes more. */
export function macro(g, depth) {
  const name = g.fresh('m');
  const [text, number] = [g.fresh('p'), g.fresh('p')];
  const extra = g.random.chance(0.35) ? g.random.pick(extras) : '';
  const open = g.scoped(() => {
    g.declare('str', text);
    g.declare('int', number);
    const head = `macro ${name}(${text}, ${number}=${g.random.pick(['1', 'count', `${text} | length`, "'d' | length"])})`;
    return g.tag(head) + extra + statements(g, depth + 1, 2);
  });
  g.declare('macro', JSON.stringify({ name, text, number, takesMore: extra.includes('args') }));
  const fact = g.random.chance(0.2)
    ? g.print(
        `${name}.${g.random.pick(['name', 'arguments', 'catch_kwargs', 'catch_varargs', 'caller'])}`,
      )
    : '';
  return open + g.tag('endmacro') + fact;
}

function call(g) {
  const [known] = g.names('macro');
  const { name, text, number, takesMore } = JSON.parse(known);
  const forms = [
    () => `${name}(${g.expr('str')})`,
    () => `${name}(${g.expr('str')}, ${g.expr('int')})`,
    () => `${name}(${text}=${g.expr('str')})`,
    () => `${name}(${g.expr('str')}, ${number}=${g.expr('int')})`,
    () => `${name}(*[${g.expr('str')}])`,
    () => `${name}(**{'${text}': ${g.expr('str')}})`,
    () => `${name}()`,
  ];
  if (takesMore)
    forms.push(
      () => `${name}(${g.expr('str')}, 1, 2, 3)`,
      () => `${name}('a', q=${g.expr('int')})`,
    );
  return g.random.pick(forms)();
}

export function macroCall(g) {
  if (g.names('macro').length === 0) return macro(g, 2);
  return g.print(
    g.random.pick([
      () => call(g),
      () => `${call(g)} | ${g.random.pick(['upper', 'trim', 'length', 'e'])}`,
      () => `${call(g)} ~ '!'`,
    ])(),
  );
}

/** Returns a macro that uses `caller`, and a call block for it. */
export function callBlock(g, depth) {
  const name = g.fresh('m');
  const argument = g.fresh('c');
  const hasArgument = g.random.chance(0.5);
  const callerUses = hasArgument ? "{{ caller('x') }}|{{ caller(title) }}" : '<{{ caller() }}>';
  const definition = `${g.tag(`macro ${name}(a='')`)}${callerUses}{{ a }}${g.tag('endmacro')}`;
  const block = g.scoped(() => {
    if (hasArgument) g.declare('str', argument);
    const head = hasArgument
      ? `call(${argument}${g.random.pick(['', "='z'"])}) ${name}(${g.expr('str')})`
      : `call ${name}()`;
    return g.tag(head) + statements(g, depth + 1, 2) + g.tag('endcall');
  });
  return definition + block;
}
