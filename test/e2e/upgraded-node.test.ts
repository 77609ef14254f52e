import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { launcherPath, writeLauncher } from '../../src/enforcement/wiring/launcher.ts';
import { launcherParts } from '../../src/enforcement/wiring/own-package.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../support/cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let sandbox: Sandbox;
/** A Node that notes what it is started with. */
let node: string;

beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
  sandbox.write('shop/.guardkit/config.yaml', 'project: shop-1\n');
  openLedger({ path: join(sandbox.home, 'ledger.db') }).close();
  node = sandbox.path('node/node');
  mkdirSync(sandbox.path('node'));
  writeFileSync(
    node,
    `#!/bin/sh\necho "$*" >>'${sandbox.path('starts')}'\nexec '${process.execPath}' "$@"\n`,
  );
  chmodSync(node, 0o755);
  giveTime(node, process.execPath);
});

afterEach(() => sandbox.cleanup());

/** To the last digit, which Node would round. */
function giveTime(file: string, like: string): void {
  execFileSync('touch', ['-r', like, file]);
}

/** What an upgrade brings has a time of its own; it need not be a later one, nor later than the build. */
const UPGRADES = [
  ['before', new Date('2001-01-01')],
  ['after', new Date('2101-01-01')],
] as const;

function run(command: string, args: string[], input = '') {
  writeFileSync(sandbox.path('starts'), '');
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: sandbox.path('shop'),
    env: { ...sandbox.env, PATH: `${sandbox.path('node')}:${sandbox.env.PATH}` },
    input,
    encoding: 'utf8',
  });
  const starts = readFileSync(sandbox.path('starts'), 'utf8').trim().split('\n');
  return {
    said: { status, stdout, stderr },
    starts: starts.map((one) => (one.includes('--snapshot-blob') ? 'snapshot' : 'plain')),
  };
}

it.each(UPGRADES)(
  'a hook leaves the snapshot aside without a word when Node is from %s [START-1]',
  (_, time) => {
    writeLauncher({ ...launcherParts(sandbox.home), node });
    // The reason is shown to the person once a session.
    const hook = (file: string, session_id: string) => {
      const told = {
        session_id,
        cwd: sandbox.path('shop'),
        hook_event_name: 'PreToolUse',
        tool_name: 'Write',
        tool_input: { file_path: sandbox.path('shop', file), content: '' },
        tool_use_id: 't',
      };
      return run(launcherPath(sandbox.home), ['claude'], JSON.stringify(told));
    };
    const before = hook('.guardkit/config.yaml', 's1');
    expect(before.starts).toEqual(['snapshot']);
    expect(before.said).toMatchObject({ status: 0, stdout: expect.stringContaining('"deny"'), stderr: '' });
    utimesSync(node, time, time);
    expect(hook('.guardkit/config.yaml', 's2')).toEqual({ said: before.said, starts: ['plain'] });
  },
);

it.each(UPGRADES)('so does a command when Node is from %s [START-1]', (_, time) => {
  const line = ['config', 'explain', 'gates', '--type', 'feature', '--complexity', '5'];
  mkdirSync(sandbox.path('copy/bin'), { recursive: true });
  mkdirSync(sandbox.path('copy/dist'));
  for (const name of ['guardkit', 'guardkit.js', 'package.json'])
    copyFileSync(join(ROOT, 'bin', name), sandbox.path('copy/bin', name));
  for (const name of readdirSync(join(ROOT, 'dist')).filter((one) => /^bin\.cjs$|\.blob$/.test(one)))
    symlinkSync(join(ROOT, 'dist', name), sandbox.path('copy/dist', name));
  const built = join(ROOT, 'dist', 'quick.start');
  const start = sandbox.path('copy/dist/quick.start');
  writeFileSync(start, readFileSync(built, 'utf8').replace(/^made_with=.*/, `made_with='${node}'`));
  giveTime(start, built);
  const before = run(sandbox.path('copy/bin/guardkit'), line);
  expect(before.starts).toEqual(['snapshot']);
  expect(before.said).toMatchObject({ status: 0, stdout: expect.stringContaining('Quality gates') });
  utimesSync(node, time, time);
  expect(run(sandbox.path('copy/bin/guardkit'), line)).toEqual({ said: before.said, starts: ['plain'] });
});

it('a Node that is too old to run GuardKit is told which ones can', () => {
  const old = sandbox.path('old.cjs');
  writeFileSync(old, 'process.getBuiltinModule = undefined;');
  const { said } = run(process.execPath, ['--require', old, join(ROOT, 'bin', 'guardkit.js'), 'doctor']);
  expect(said).toMatchObject({ status: 3, stdout: '' });
  expect(said.stderr).toContain(`20.19 on, or 22.12 or newer; this is Node ${process.versions.node}`);
  expect(said.stderr).toContain('guardkit doctor --fix');
});
