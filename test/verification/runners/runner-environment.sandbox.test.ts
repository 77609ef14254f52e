import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runnerEnvironment, tapFolder } from '../../../src/verification/runners/runner-environment.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guardkit-environment-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('paths with spaces and quotes reach Node and pytest intact', () => {
  const odd = join(folder, 'a "b" c\\d');
  mkdirSync(odd);
  writeFileSync(join(odd, 'tap.cjs'), "process.stdout.write('loaded ');");
  const environment = runnerEnvironment({ reportsFolder: odd, tapFolder: odd, path: process.env.PATH ?? '' });
  const printed = execFileSync(process.execPath, ['-p', '1'], {
    env: { NODE_OPTIONS: environment.NODE_OPTIONS },
    encoding: 'utf8',
  });
  expect(printed).toBe('loaded 1\n');
  expect(environment.PYTEST_ADDOPTS).toContain('a \\"b\\" c\\\\d/pytest.xml"');
});

it('our node shim finds the real node, prints nothing and passes everything on', () => {
  const environment = runnerEnvironment({
    reportsFolder: folder,
    tapFolder: tapFolder(),
    path: ['/nowhere', folder, process.env.PATH].join(delimiter),
  });
  const script = "console.log(process.execPath, process.argv.slice(1).join('|')); process.exitCode = 7;";
  const code = 'node "$@"; echo "exit $?"';
  const printed = execFileSync('sh', ['-c', code, 'sh', '-e', script, 'a b', '', '*'], {
    env: environment,
    encoding: 'utf8',
  });
  expect(printed).toBe(`${process.execPath} a b||*\nexit 7\n`);
});

it('without a real node the shim reports that there is none', () => {
  const shim = join(tapFolder(), 'path', 'node', 'node');
  expect(() => execFileSync('/bin/sh', [shim], { env: { PATH: '/nowhere' }, stdio: 'pipe' })).toThrow(
    expect.objectContaining({ status: 127 }),
  );
});
