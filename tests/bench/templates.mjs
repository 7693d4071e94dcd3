// Measures rendering a template, compared with other engines for JavaScript and with Jinja2. The template and its
// context are not part of the project.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Environment as MiniJinja } from 'minijinja-js';
import nunjucks from 'nunjucks';
import { Template as HuggingFace } from '@huggingface/jinja';
import { missingFrom, sharedPath } from '../support/shared-folder.mjs';
import { interleave } from './measure.mjs';
import { ms, times } from '../support/table.mjs';

const folder = sharedPath('jinja');
const rounds = 60;

/** Returns the engines; each compiles with the same options and returns a function that renders. */
const engines = (templates) => ({
  'prompt-strata': (source, { text }) => {
    const template = templates.template(source, { trimBlocks: true, lstripBlocks: true });
    return Object.assign(() => template.render(text), {
      free: () => template[Symbol.dispose ?? Symbol.for('Symbol.dispose')](),
    });
  },
  'nunjucks 3.2.4': (source, { value }) => {
    const options = { trimBlocks: true, lstripBlocks: true, autoescape: false };
    const template = new nunjucks.Template(
      source,
      new nunjucks.Environment(null, options),
      '',
      true,
    );
    return () => template.render(value);
  },
  'minijinja-js 2.11.0': (source, { value }) => {
    const environment = new MiniJinja();
    environment.trimBlocks = true;
    environment.lstripBlocks = true;
    environment.addTemplate('t', source);
    return Object.assign(() => environment.renderTemplate('t', value), {
      free: () => environment.free(),
    });
  },
  '@huggingface/jinja 0.5.11': (source, { value }) => {
    const template = new HuggingFace(source, { lstrip_blocks: true, trim_blocks: true });
    return () => template.render(value);
  },
});

const python = `
import json, statistics, sys, time
try:
    import jinja2
except ImportError:
    print("{}")
    sys.exit()
source, value = open("template.j2").read(), json.load(open("context.json"))
def compiled():
    return jinja2.Environment(trim_blocks=True, lstrip_blocks=True).from_string(source)
def median(work):
    times = []
    for _ in range(${rounds}):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)
template = compiled()
print(json.dumps({
    "version": jinja2.__version__,
    "render": median(lambda: template.render(value)),
    "both": median(lambda: compiled().render(value)),
    "text": template.render(value),
}))
`;

/** Returns the medians and the text of Jinja2 from a separate process, or undefined if it is not installed. */
function measurePython() {
  const { status, stdout } = spawnSync('python3', ['-c', python], {
    cwd: folder,
    encoding: 'utf8',
  });
  const measured = status === 0 ? JSON.parse(stdout) : {};
  return measured.version ? measured : undefined;
}

function compileAndRender(compile, source, context) {
  const render = compile(source, context);
  const text = render();
  render.free?.();
  return text;
}

function measure(compilers, source, context) {
  const renders = Object.entries(compilers).map(([name, compile]) => [
    name,
    compile(source, context),
  ]);
  const texts = Object.fromEntries(renders.map(([name, render]) => [name, render()]));
  const render = interleave(Object.fromEntries(renders), { rounds });
  const both = interleave(
    Object.fromEntries(
      Object.entries(compilers).map(([name, compile]) => [
        name,
        () => compileAndRender(compile, source, context),
      ]),
    ),
    { rounds },
  );
  return Object.keys(compilers).map((name) => ({
    ...{ name, text: texts[name], render: render[name], both: both[name] },
  }));
}

function rowsOf(results, expected) {
  const [own] = results;
  return results.map(({ name, text, render, both }) => [
    ...[name, ms(render), times(render / own.render), ms(both), times(both / own.both)],
    text === expected ? 'same' : 'different',
  ]);
}

/** @param {object} pkg the package */
export async function run(pkg) {
  const title = 'Rendering a template';
  const missing = missingFrom('template and context to measure', 'jinja');
  if (missing) return { title, about: `Skipped: ${missing}.` };
  const source = readFileSync(join(folder, 'template.j2'), 'utf8');
  const text = readFileSync(join(folder, 'context.json'), 'utf8');
  const results = measure(engines(await pkg.templates.loadTemplates()), source, {
    text,
    value: JSON.parse(text),
  });
  const oracle = measurePython();
  if (oracle) results.push({ name: `Jinja2 ${oracle.version} (Python)`, ...oracle });
  return {
    title,
    about:
      'Renders a prompt of 5 KB with macros, loops and filters and a context of 18 KB. ' +
      'prompt-strata takes the context as JSON text and reads it each time; the others receive a ' +
      'parsed object. Python runs in its own process, after the others. The ratios compare with ' +
      'prompt-strata. The last column compares ' +
      `the output with ${oracle ? "Jinja2's" : "prompt-strata's, because Jinja2 is not installed"}.`,
    head: ['engine', 'render', 'ratio', 'compile + render', 'ratio', 'output'],
    rows: rowsOf(results, (oracle ?? results[0]).text),
    verdicts: [],
  };
}
