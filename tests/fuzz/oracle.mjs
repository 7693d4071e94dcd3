// Finds a Python that has Jinja2, and starts the oracle with it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/setup/run.mjs';
import { LineProcess } from './line-process.mjs';

const hasJinja = (python) =>
  spawnSync(python, ['-c', 'import jinja2'], { stdio: 'ignore' }).status === 0;

/** The Python to use: Debian's own first, as that is the one that apt-get gives Jinja2 to. */
export const findPython = () => ['/usr/bin/python3', 'python3'].find(hasJinja);

/** The version of Jinja2 that `python` has. */
export const jinjaVersion = (python) =>
  spawnSync(python, ['-c', 'import jinja2; print(jinja2.__version__)'], {
    encoding: 'utf8',
  }).stdout.trim();

/** Python's Jinja2 as a process that renders one case a line. */
export const startOracle = (python) =>
  new LineProcess(python, [join(root, 'tests', 'fuzz', 'oracle.py')]);
