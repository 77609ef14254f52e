// Builds, unless the last build was of the same sources and nobody touched what it made: `npm ci` builds, and then `npm test`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildState } from './build-state.js';
import { writeWhole } from './write-whole.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'node_modules/.cache/guardkit-build');

if (lastState() === buildState(root)) {
  console.log('What is built is of these sources.');
} else {
  execFileSync(process.execPath, [join(root, 'scripts/build.js')], { cwd: root, stdio: 'inherit' });
  keep(buildState(root));
}

function lastState() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Nothing was built yet, or nobody can tell: it is built.
    return undefined;
  }
}

function keep(state) {
  mkdirSync(dirname(file), { recursive: true });
  writeWhole(file, state);
}
