// Generates the other templates of a case: includes, imports, and one or two levels of inheritance.
import { statements } from './statements.mjs';

/** Returns templates that include nothing, so that include chains end. */
export function randomFiles(g) {
  const part = () => g.scoped(() => statements(g, 2, 2));
  const tools = `${g.tag('set shade = title')}${g.tag("macro bold(x, y='!')")}<b>{{ x }}</b>{{ y }}{{ nothing }}${g.tag('endmacro')}${g.tag('macro note()')}[{{ caller() }}{{ count }}]${g.tag('endmacro')}${part()}`;
  return {
    'part.j2': part(),
    'loops.j2': `${g.random.pick(['', '{{ loop.index }}', '{{ v1 }}'])}${part()}\n`,
    'tools.j2': tools,
  };
}

const contextModes = ['', '', '', ' with context', ' without context'];

/** Returns a statement that includes or imports one of the files. */
export function include(g) {
  const context = g.random.pick(contextModes);
  const name = g.fresh('f');
  return g.random.weighted([
    [
      3,
      () =>
        g.tag(
          `include ${g.random.pick(["'part.j2'", "'loops.j2'", "'part' ~ '.j2'", "['none.j2', 'part.j2']"])}${/without/.test(context) ? '' : context}`,
        ),
    ],
    [1, () => g.tag(`include 'none.j2' ignore missing${g.random.pick(['', ' with context'])}`)],
    [
      2,
      () =>
        `${g.tag(`import 'tools.j2' as ${name}${context}`)}{{ ${name}.bold(${g.expr('str')}) }}{{ ${name}.shade }}`,
    ],
    [
      2,
      () =>
        `${g.tag(`from 'tools.j2' import bold${g.random.pick(['', ' as strong', ', note', ', shade'])}${context}`)}{{ bold(${g.expr('str')}, y=${g.expr('int')}) }}{{ strong }}{{ shade }}`.replace(
          '{{ strong }}',
          g.random.pick(['', '{{ strong is defined }}']),
        ),
    ],
    [
      1,
      () =>
        `${g.tag(`from 'tools.j2' import note${context}`)}${g.tag('call note()')}${g.expr('str').length}${g.tag('endcall')}`,
    ],
  ])();
}

const block = (g, name, inside, flags = '') =>
  `${g.tag(`block ${name}${flags}`)}${inside}${g.tag(`endblock${g.random.pick(['', ` ${name}`])}`)}`;

const contents = (g) => g.scoped(() => statements(g, 2, 2));
const above = (g) =>
  g.random.pick([
    '',
    '{{ super() }}',
    '{{ super() | upper }}',
    '{{ self.foot() }}',
    '{{ super() ~ 1 }}',
  ]);

function base(g) {
  const walked = `${g.tag('for n in [1, 2]')}${block(g, 'row', g.random.pick(['{{ n }}', '{{ n is defined }}', contents(g)]), g.random.pick(['', ' scoped']))}${g.tag('endfor')}`;
  const must = g.random.chance(0.15)
    ? block(g, 'head', '', ' required')
    : block(g, 'head', contents(g));
  return `${g.tag("set above = 'base'")}${contents(g)}${must}\n${walked}${block(g, 'foot', `foot${g.random.pick(['', '{{ above }}', '{{ title }}'])}`)}${g.random.pick(['', '{{ self.head() }}'])}`;
}

const overriding = (g) =>
  ['head', 'row', 'foot']
    .filter(() => g.random.chance(0.6))
    .map((name) =>
      block(
        g,
        name,
        name === 'foot' ? g.random.pick(['{{ super() }}.', 'end']) : above(g) + contents(g),
      ),
    )
    .join(g.random.pick(['', '\n', 'ignored']));

/** Returns the parent templates, and the template that extends them. */
export function inheritance(g) {
  const files = { 'base.j2': base(g) };
  let parent = "'base.j2'";
  if (g.random.chance(0.4)) {
    files['middle.j2'] = `${g.tag(`extends ${parent}`)}${overriding(g)}`;
    parent = "'middle.j2'";
  }
  const dynamic = g.random.pick([parent, parent, `${parent} if flag else 'base.j2'`]);
  const front = g.random.pick(['', '', '\n', g.tag('set extra = 1'), 'text before ']);
  return { files, template: `${front}${g.tag(`extends ${dynamic}`)}\n${overriding(g)}` };
}
