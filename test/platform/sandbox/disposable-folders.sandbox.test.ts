import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeTree } from '../../../src/platform/files/file-trees.ts';
import { runProcess } from '../../../src/platform/processes/run-process.ts';
import {
  findMethod,
  type LayerMethod,
  layerFolders,
} from '../../../src/platform/sandbox/disposable-folders.ts';
import { findSandbox } from '../../../src/platform/sandbox/find-sandbox.ts';
import { readSystem, sandboxArguments } from '../../../src/platform/sandbox/sandbox-arguments.ts';

const sandbox = await findSandbox(process.env);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-layers, a b:')));
afterAll(() => removeTree(folder));

let count = 0;

async function change(method: LayerMethod, script: string) {
  if (!sandbox.available) throw new Error('skipped without a sandbox');
  const place = join(folder, `${method} ${++count}`);
  const room = join(place, 'room');
  const target = join(room, 'packages/one/node_modules');
  mkdirSync(join(target, 'dep'), { recursive: true });
  writeFileSync(join(target, 'dep/index.js'), 'original');
  symlinkSync('dep', join(target, 'link'));
  const layers = await layerFolders(sandbox, [{ path: target, scratch: join(place, 'layers/0') }], method);
  const args = sandboxArguments({
    entries: [{ path: room, access: 'writable', folder: true }, ...layers.entries],
    system: readSystem(),
    network: 'loopback',
    cwd: room,
  });
  const [program = '', ...before] = [...layers.prefix, sandbox.program, ...layers.options];
  const ran = await runProcess(program, [...before, ...args, '--', '/bin/sh', '-c', script], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    timeoutMs: 20_000,
  });
  return { ...ran, target, room };
}

const works = sandbox.available ? await findMethod(sandbox, join(folder, 'probe')) : undefined;

describe.skipIf(!sandbox.available)('a folder whose changes do not last (bubblewrap)', () => {
  const methods: LayerMethod[] = ['disk', 'memory', 'copy'];
  for (const method of methods)
    describe.skipIf(method !== 'copy' && works === 'copy')(`by ${method}`, () => {
      it('can be changed in every way, and is as before', async () => {
        const script = `set -e
cd packages/one/node_modules
test "$(cat link/index.js)" = original
echo changed > dep/index.js
test "$(cat link/index.js)" = changed
echo new > dep/new.js && chmod 000 dep/new.js
rm link && mkdir link && echo x > link/x
rm -r dep && mkdir dep && test -z "$(ls dep)"
mkdir -p a/b && mv a c && chmod 000 c/b`;
        const { exitCode, tail, target } = await change(method, script);
        expect(exitCode, tail).toBe(0);
        expect(readdirSync(target).sort()).toEqual(['dep', 'link']);
        expect(readdirSync(join(target, 'dep'))).toEqual(['index.js']);
        expect(readFileSync(join(target, 'link/index.js'), 'utf8')).toBe('original');
      });

      it('cannot be moved away with the folders around it, to put another in its place', async () => {
        const { exitCode, target, room } = await change(
          method,
          'mv packages moved || mv packages/one packages/moved || mv packages/one/node_modules moved',
        );
        expect(exitCode).not.toBe(0);
        expect(readdirSync(join(room, 'packages'))).toContain('one');
        expect(readFileSync(join(target, 'dep/index.js'), 'utf8')).toBe('original');
      });
    });

  it('is an overlay where the kernel allows one', () => {
    expect(['bubblewrap', 'disk', 'memory', 'copy']).toContain(works);
  });
});
