// Builds unless the build is up to date: `npm ci` builds, and `npm test` after it need not.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildState } from './build-state.js';
import { writeWhole } from './write-whole.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'node_modules/.cache/guardkit-build');

if (lastState() === buildState(root)) {
  console.log('The build is up to date.');
} else {
  execFileSync(process.execPath, [join(root, 'scripts/build.js')], { cwd: root, stdio: 'inherit' });
  keep(buildState(root));
}

function lastState() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Safe: without a readable state it is built again.
    return undefined;
  }
}

function keep(state) {
  mkdirSync(dirname(file), { recursive: true });
  writeWhole(file, state);
}
