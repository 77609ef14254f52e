import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { plantedBytecode } from '../../../src/verification/harness/find-harness-changes.ts';

const root = mkdtempSync(join(tmpdir(), 'guardkit-bytecode-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The header of compiled Python with these flags. */
function write(path: string, flags: number): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(
    join(root, path),
    Buffer.from([0xa7, 0x0d, 0x0d, 0x0a, flags, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
  );
  return path;
}

function found(path: string, change: 'added' | 'modified' | 'deleted' = 'added'): string[] {
  return plantedBytecode(root, [{ path, change }]).map((one) => one.path);
}

it.each([
  ['with a hash that Python does not check', 'a/__pycache__/x.cpython-311.pyc', 1],
  ['with a hash that Python checks', 'b/__pycache__/x.cpython-311.pyc', 3],
  ['without a source', 'tests/helper.pyc', 0],
])('bytecode %s is planted', (_name, path, flags) => {
  expect(found(write(path, flags))).toEqual([path]);
  expect(found(path, 'deleted')).toEqual([]);
});

it('bytecode compiled by Python itself is not', () => {
  expect(found(write('c/__pycache__/x.cpython-311.pyc', 0))).toEqual([]);
  expect(found('c/x.py')).toEqual([]);
});

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
it.skipIf(!HAS_PYTHON)(
  `real bytecode is told apart${HAS_PYTHON ? '' : ' (SKIPPED: Python is not installed here)'}`,
  () => {
    for (const mode of ['timestamp', 'unchecked-hash', 'checked-hash']) {
      const folder = `real-${mode}`;
      mkdirSync(join(root, folder));
      writeFileSync(join(root, folder, 'x.py'), 'value = 1\n');
      const made = spawnSync('python3', [
        '-m',
        'compileall',
        '-q',
        '--invalidation-mode',
        mode,
        join(root, folder),
      ]);
      expect(made.status, String(made.stderr)).toBe(0);
      const [name = ''] = spawnSync('ls', [join(root, folder, '__pycache__')])
        .stdout.toString()
        .split('\n');
      expect(found(`${folder}/__pycache__/${name}`)).toHaveLength(mode === 'timestamp' ? 0 : 1);
    }
  },
);
