// Finds a Python with Jinja2 and starts the oracle with it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/setup/run.mjs';
import { LineProcess } from './line-process.mjs';

const hasJinja = (python) =>
  spawnSync(python, ['-c', 'import jinja2'], { stdio: 'ignore' }).status === 0;

/** Returns the Python to use, preferring Debian's, for which apt-get installs Jinja2. */
export const findPython = () => ['/usr/bin/python3', 'python3'].find(hasJinja);

/** Returns the version of Jinja2 that `python` has. */
export const jinjaVersion = (python) =>
  spawnSync(python, ['-c', 'import jinja2; print(jinja2.__version__)'], {
    encoding: 'utf8',
  }).stdout.trim();

/** Starts Python's Jinja2 as a process that renders one case per line. */
export const startOracle = (python) =>
  new LineProcess(python, [join(root, 'tests', 'fuzz', 'oracle.py')]);
