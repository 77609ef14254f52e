import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../support/cli.ts';
import { rows } from '../support/thorough.ts';

/** The program that the launcher runs. */
const PROGRAM = fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url));

const CLI = fileURLToPath(new URL('../../dist/bin.cjs', import.meta.url));

/** Reports at exit what the process loaded. */
const TELL = `const fs = require('node:fs');
const before = new Set(process.moduleLoadList);
process.on('exit', () => {
  const loaded = process.moduleLoadList.filter((name) => !before.has(name));
  fs.writeFileSync(process.env.TELL_TO, JSON.stringify({
    zod: '__zod_globalRegistry' in globalThis,
    processes: loaded.includes('NativeModule child_process'),
    performance: loaded.some((name) => name.includes('perf')),
  }));
});`;

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
  sandbox.write('shop/.guardkit/config.yaml', 'project: shop-1\n');
  sandbox.write('tell.cjs', TELL);
  openLedger({ path: join(sandbox.home, 'ledger.db') }).close();
});

afterEach(() => sandbox.cleanup());

function hook(hook_event_name: string, tool_name: string, tool_input: object) {
  const cwd = sandbox.path('shop');
  const payload = { session_id: 's', cwd, hook_event_name, tool_name, tool_input, tool_use_id: 'action-1' };
  const told = sandbox.path('told.json');
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--require', sandbox.path('tell.cjs'), PROGRAM, 'claude'],
    {
      cwd,
      env: { ...sandbox.env, CLAUDE_PROJECT_DIR: cwd, TELL_TO: told },
      input: JSON.stringify(payload),
      encoding: 'utf8',
    },
  );
  return { status, stdout, loaded: JSON.parse(readFileSync(told, 'utf8')) as unknown };
}

it.each(
  rows(1, [
    ['Bash', { command: 'npm test' }],
    ['Edit', { file_path: 'a.js', old_string: 'a', new_string: 'b' }],
    ['Read', { file_path: 'a.js' }],
  ]),
)('a harmless %s loads only a small part of the program [START-1]', (tool, input) => {
  sandbox.write('shop/a.js', 'const a = 1;\n');
  sandbox.write('shop/package.json', { scripts: { test: 'node --test' } });
  // The first one reads the configuration.
  for (const round of [1, 2])
    for (const event of ['PreToolUse', 'PostToolUse']) {
      const said = hook(event, tool, input);
      expect(said).toMatchObject({ status: 0, stdout: '' });
      if (round === 2) expect(said.loaded).toEqual({ zod: false, processes: false, performance: false });
    }
});

it('a refused action is recorded, with everything this needs [START-1]', () => {
  const { status, stdout, loaded } = hook('PreToolUse', 'Write', {
    file_path: sandbox.path('shop', '.guardkit', 'config.yaml'),
    content: '',
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  expect(loaded).toMatchObject({ zod: true });
});

it('help loads no database driver [START-1]', () => {
  const tell = sandbox.path('drivers.cjs');
  sandbox.write(
    'drivers.cjs',
    `process.on('exit', () => {
  const loaded = process.report.getReport().sharedObjects;
  require('node:fs').writeFileSync(process.env.TELL_TO, JSON.stringify(loaded.filter((path) => path.endsWith('.node'))));
});`,
  );
  const drivers = (...args: string[]) => {
    const told = sandbox.path('drivers.json');
    spawnSync(process.execPath, ['--require', tell, CLI, ...args], {
      cwd: sandbox.path('shop'),
      env: { ...sandbox.env, TELL_TO: told },
    });
    return JSON.parse(readFileSync(told, 'utf8')) as string[];
  };
  expect(drivers('help', '--all')).toEqual([]);
  expect(drivers('log')).not.toEqual([]);
});
