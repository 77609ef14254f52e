import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownHookCommand, sharedHookCommand } from '../../../src/enforcement/install/hook-command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function machine() {
  const home = temporaryFolder();
  const data = join(home, '.guardkit');
  return {
    home,
    data,
    add(name: string, text: string) {
      mkdirSync(join(data, 'bin'), { recursive: true });
      writeFileSync(join(data, name), text);
      chmodSync(join(data, name), 0o755);
    },
    run: (command: string) =>
      spawnSync('/bin/sh', ['-c', command], {
        env: { PATH: process.env.PATH, HOME: home },
        input: '{}',
        encoding: 'utf8',
      }),
  };
}

describe('the hook in a team’s settings', () => {
  const shared = sharedHookCommand('claude');

  it('says loudly that nothing is guarded on a machine without GuardKit, and lets all of it pass', () => {
    const { run } = machine();
    for (const command of [shared.refusing, shared.letting])
      expect(run(command)).toMatchObject({
        status: 0,
        stdout: '',
        stderr: expect.stringContaining('GuardKit'),
      });
    const begun = run(shared.beginning);
    expect(begun.status).toBe(0);
    expect(JSON.parse(begun.stdout).systemMessage).toContain('GuardKit');
  });

  it('refuses where GuardKit was and its launcher is gone, but never a person', () => {
    const { add, run } = machine();
    add('ledger.db', '');
    expect(run(shared.refusing)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('doctor --fix'),
    });
    expect(run(shared.letting).status).toBe(0);
    expect(JSON.parse(run(shared.beginning).stdout).systemMessage).toContain('doctor --fix');
  });

  it('asks the launcher where there is one, and refuses where that fails', () => {
    const { add, run } = machine();
    add('bin/guardkit-hook', '#!/bin/sh\necho "$@"\n');
    expect(run(shared.refusing)).toMatchObject({ status: 0, stdout: 'claude\n' });
    expect(run(shared.beginning)).toMatchObject({ status: 0, stdout: 'claude --never-refuse\n' });
    add('bin/guardkit-hook', '#!/bin/sh\nexit 1\n');
    expect(run(shared.refusing).status).toBe(2);
  });
});

describe('the hook in a person’s own settings', () => {
  it('refuses when the launcher is gone', () => {
    const { data, run } = machine();
    expect(run(ownHookCommand(data, 'claude').refusing).status).toBe(2);
  });
});
