import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { VerifiedProject } from '../support/verified-project.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const SUFFIX = `.${process.version}-${process.platform}-${process.arch}`;

/** The script that the built entry runs. */
const script = /program\/(program-\w+\.js)/.exec(readFileSync(join(DIST, 'bin.cjs'), 'utf8'))?.[1] ?? '';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guardkit-compiled-'));
  mkdirSync(join(folder, 'program'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  copyFileSync(join(DIST, 'bin.cjs'), join(folder, 'bin.cjs'));
  copyFileSync(join(DIST, 'program', script), join(folder, 'program', script));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function help(): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(folder, 'bin.cjs'), '--help'], { encoding: 'utf8' });
}

it('the build leaves the compiled code of the program beside it [START-1]', () => {
  expect(readdirSync(join(DIST, 'program'))).toContain(`${script}${SUFFIX}`);
});

it('the program runs without its compiled code [START-1]', () => {
  expect(help()).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('Usage: guardkit') });
});

it.each([
  ['empty', () => Buffer.alloc(0)],
  ['cut off', (whole: Buffer) => whole.subarray(0, whole.length >> 1)],
  ['of another version of V8', (whole: Buffer) => Buffer.from(whole).fill(1, 4, 8)],
  ['something else', () => Buffer.from('not compiled code')],
])('the program runs beside compiled code that is %s [START-1]', (_name, damage) => {
  const whole = readFileSync(join(DIST, 'program', `${script}${SUFFIX}`));
  writeFileSync(join(folder, 'program', `${script}${SUFFIX}`), damage(whole));
  expect(help()).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('Usage: guardkit') });
});

it('the program with its compiled code loads what is only there as a module [START-1]', async () => {
  const project = new VerifiedProject();
  try {
    // Refused for its task, and so after the driver was loaded.
    const args = ['feature-build', 'TASK-001', '--driver', 'claude', '--task', 'TASK-404'];
    const { stderr, exitCode } = await project.sandbox.program(args, { in: project.name });
    expect(stderr).toBe(
      '✗ TASK-404 is not a task of TASK-001. Did you mean TASK-001?\n  Its tasks: TASK-001.\n',
    );
    expect(exitCode).toBe(2);
  } finally {
    project.cleanup();
  }
});
