import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../support/cli.ts';
import { further, rows } from '../support/thorough.ts';
import { VerifiedProject } from '../support/verified-project.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE = `${process.version}-${process.platform}-${process.arch}`;
const DIGEST_BYTES = 32;

/** The bundle that the entries load. */
const [bundle = ''] = /program-\w+\.js/.exec(readFileSync(join(ROOT, 'dist/bin.cjs'), 'latin1')) ?? [];

let sandbox: Sandbox;

/** A copy of the build with other file times. */
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
  sandbox.write('shop/.guardkit/config.yaml', 'project: shop-1\n');
  mkdirSync(sandbox.path('copy/dist/program'), { recursive: true });
  const files = [
    'bin.cjs',
    'hook.cjs',
    `program/${bundle}`,
    ...uses().map((use) => `program/${cacheOf(use)}`),
  ];
  for (const name of files) {
    cpSync(join(ROOT, 'dist', name), built(name));
    utimesSync(built(name), new Date('2001-01-01'), new Date('2001-01-01'));
  }
  symlinkSync(join(ROOT, 'node_modules'), sandbox.path('copy/node_modules'));
  openLedger({ path: join(sandbox.home, 'ledger.db') }).close();
});

afterEach(() => sandbox.cleanup());

function uses(): string[] {
  return ['command', 'hook'];
}

function cacheOf(use: string): string {
  return `${bundle}.${use}-${NODE}.cache`;
}

function built(name: string): string {
  return sandbox.path('copy/dist', name);
}

function run(args: string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: sandbox.path('shop'),
    env: { ...sandbox.env, CLAUDE_PROJECT_DIR: sandbox.path('shop') },
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function hook(tool_name: string, file: string) {
  const cwd = sandbox.path('shop');
  const tool_input = { file_path: sandbox.path('shop', file), content: '' };
  const event = { hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: tool_name };
  return run([built('hook.cjs'), 'claude'], JSON.stringify({ session_id: 's', cwd, ...event }));
}

function expectAllWorks(): void {
  expect(run([built('bin.cjs'), '--help'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Usage: guardkit'),
    stderr: '',
  });
  expect(hook('Read', 'a.js')).toEqual({ status: 0, stdout: '', stderr: '' });
  const refused = hook('Write', '.guardkit/config.yaml');
  expect(refused.status).toBe(0);
  expect(JSON.parse(refused.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
}

describe('a code cache', () => {
  it.each(uses())('from the build is accepted by V8 for a %s, also in another folder [START-1]', (use) => {
    sandbox.write(
      'check.cjs',
      `const { readFileSync } = require('node:fs');
      const { Script } = require('node:vm');
      const [source, cache] = process.argv.slice(2);
      const cachedData = readFileSync(cache).subarray(${DIGEST_BYTES});
      const script = new Script(readFileSync(source, 'latin1'), { filename: source, cachedData });
      console.log(script.cachedDataRejected);`,
    );
    const files = [bundle, cacheOf(use)].map((name) => built(`program/${name}`));
    expect(run([sandbox.path('check.cjs'), ...files])).toEqual({ status: 0, stdout: 'false\n', stderr: '' });
  });

  it('is optional [START-2]', () => {
    expectAllWorks();
    for (const use of uses()) rmSync(built(`program/${cacheOf(use)}`));
    expectAllWorks();
  });

  further.each<[string, (whole: Buffer) => Buffer]>([
    ['cut off', (whole) => whole.subarray(0, whole.length >> 1)],
    ['damaged in its code', (whole) => damaged(whole, whole.length >> 1)],
    ['empty', () => Buffer.alloc(0)],
    ['no compiled code', () => withDigest(Buffer.from('not compiled code'))],
    [
      'of another version of V8',
      (whole) => withDigest(Buffer.from(whole.subarray(DIGEST_BYTES)).fill(1, 4, 8)),
    ],
    ['damaged in its header', (whole) => damaged(whole, 40)],
    ['damaged in its digest', (whole) => damaged(whole, 0)],
  ])('is ignored if it is %s [START-1]', (_name, change) => {
    for (const use of uses()) {
      const path = built(`program/${cacheOf(use)}`);
      writeFileSync(path, change(readFileSync(path)));
    }
    expectAllWorks();
  });

  further('is ignored if it cannot be read [START-1]', () => {
    for (const use of uses()) {
      rmSync(built(`program/${cacheOf(use)}`));
      mkdirSync(built(`program/${cacheOf(use)}`));
    }
    expectAllWorks();
  });

  further('does not block dynamic imports of modules [START-1]', async () => {
    const project = new VerifiedProject();
    try {
      // Refused for its task, which is after the driver was loaded.
      const args = ['feature-build', 'TASK-001', '--driver', 'claude', '--task', 'TASK-404'];
      const { stderr, exitCode } = await project.sandbox.program(args, { in: project.name });
      expect(stderr).toMatch(/TASK-404.*TASK-001/);
      expect(exitCode).toBe(2);
    } finally {
      project.cleanup();
    }
  });
});

describe('a hook refuses', () => {
  it.each(
    rows<[string, () => void]>(1, [
      ['broken', () => writeFileSync(built(`program/${bundle}`), '(function (')],
      ['gone', () => rmSync(built(`program/${bundle}`))],
      ['empty', () => writeFileSync(built(`program/${bundle}`), '')],
    ]),
  )('if the bundle is %s, whatever the code cache contains [START-1]', (_name, harm) => {
    harm();
    expect(readdirSync(built('program'))).toContain(cacheOf('hook'));
    expect(hook('Read', 'a.js')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('guardkit doctor'),
    });
  });
});

function withDigest(compiled: Buffer): Buffer {
  return Buffer.concat([createHash('sha256').update(compiled).digest(), compiled]);
}

function damaged(whole: Buffer, at: number): Buffer {
  const copy = Buffer.from(whole);
  copy.writeUInt8(copy.readUInt8(at) ^ 0x55, at);
  return copy;
}
