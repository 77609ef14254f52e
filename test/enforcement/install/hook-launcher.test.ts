import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  launcherPath,
  ownHookCommand,
  sharedHookCommand,
  timedHookCommand,
  writeLauncher,
} from '../../../src/enforcement/install/hook-launcher.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function launcher(program: string, node = process.execPath) {
  const dataFolder = join(temporaryFolder(), "it's a home");
  mkdirSync(dataFolder);
  const file = join(dataFolder, 'program.cjs');
  writeFileSync(file, program);
  writeLauncher({ node, program: file, dataFolder });
  return {
    dataFolder,
    run: (env: NodeJS.ProcessEnv = {}, ...more: string[]) =>
      spawnSync(launcherPath(dataFolder), ['claude', ...more], {
        encoding: 'utf8',
        input: '{}',
        env: { PATH: process.env.PATH, ...env },
      }),
  };
}

describe('the hook launcher', () => {
  it('passes input, arguments, output and exit codes', () => {
    const said = launcher(
      'process.stdout.write(`{"${process.argv[2]}":${require("fs").readFileSync(0, "utf8")}}\\n`)',
    ).run();
    expect(said).toMatchObject({ status: 0, stdout: '{"claude":{}}\n' });
    const refused = launcher('process.stderr.write("no\\n"); process.exitCode = 2').run();
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringMatching(/^no\n/) });
  });

  it.each([
    ['the program fails', 'process.exitCode = 1'],
    ['the program crashes', 'throw new Error("x")'],
    ['the program is killed', 'process.kill(process.pid, "SIGKILL")'],
    ['the program prints a broken answer', 'process.stdout.write(\'{"decision": \')'],
    ['the program prints text', 'process.stdout.write("fine")'],
    ['the program refuses without a reason', 'process.exitCode = 2'],
  ])('refuses when %s', (_, program) => {
    const said = launcher(program).run();
    expect(said.status).toBe(2);
    expect(said.stderr).toContain('GuardKit');
  });

  it.each([
    ['its program fails', 'process.exitCode = 1'],
    ['its program refuses an unknown event', 'process.exitCode = 2'],
    ['its program is killed', 'process.kill(process.pid, "SIGKILL")'],
  ])('never refuses a prompt, and notifies the person when %s', (_, program) => {
    const said = launcher(program).run({}, '--never-refuse');
    expect(said.status).toBe(0);
    expect(JSON.parse(said.stdout).systemMessage).toMatch(/GuardKit.*guardkit doctor --fix/);
  });

  describe('with a deadline', () => {
    it('passes input, output and exit codes', () => {
      const said = launcher('process.stdout.write(require("fs").readFileSync(0, "utf8"))').run(
        {},
        '--deadline-50',
      );
      expect(said).toMatchObject({ status: 0, stdout: '{}\n', stderr: '' });
      const refused = launcher('process.stderr.write("no\\n"); process.exitCode = 2').run(
        {},
        '--deadline-50',
      );
      expect(refused).toMatchObject({ status: 2, stderr: expect.stringMatching(/^no\n/) });
    });

    it.each([
      ['fails', 'process.exitCode = 1'],
      ['is killed', 'process.kill(process.pid, "SIGKILL")'],
      ['sleeps', 'setTimeout(() => {}, 60_000)'],
      ['blocks', 'for (;;);'],
    ])('refuses with a text when the program %s', (_, program) => {
      const said = launcher(program).run({}, '--deadline-1');
      expect(said.status).toBe(2);
      expect(said.stderr).toContain('GuardKit');
    });

    it.each(['/bin/sh', '/bin/bash'])(
      'refuses with a text in %s when the launcher is missing or killed',
      (shell) => {
        const { dataFolder } = launcher('process.kill(process.ppid, "SIGKILL")');
        const { refusing } = timedHookCommand(dataFolder, 'codex');
        const run = () => spawnSync(shell, ['-c', refusing], { encoding: 'utf8', input: '{}' });
        const killed = run();
        rmSync(launcherPath(dataFolder));
        const missing = run();
        for (const said of [killed, missing]) {
          expect(said.status).toBe(2);
          expect(said.stderr.trim()).not.toBe('');
        }
      },
    );
  });

  it('reports a missing Node with any characters in its path', () => {
    const said = launcher('', `/nowhere/a "b" $c \\d 'e' \u0001/node`).run({}, '--never-refuse');
    expect(said.status).toBe(0);
    expect(JSON.parse(said.stdout).systemMessage).toContain('/nowhere/a');
  });

  it('refuses when its Node is missing', () => {
    const said = launcher('', '/nowhere/bin/node').run();
    expect(said.status).toBe(2);
    expect(said.stderr).toContain('/nowhere/bin/node');
  });

  it('ignores variables of the agent that load code', () => {
    const { dataFolder, run } = launcher('process.stdout.write("{}")');
    const evil = join(dataFolder, 'evil.cjs');
    writeFileSync(evil, 'process.stdout.write("{evil}"); process.exit(0)');
    expect(run({ NODE_OPTIONS: `--require "${evil}"` }).stdout).toBe('{}\n');
  });

  it('sets GUARDKIT_HOME, whatever the agent’s environment has', () => {
    const { dataFolder, run } = launcher(
      'process.stdout.write(JSON.stringify({ home: process.env.GUARDKIT_HOME }))',
    );
    expect(JSON.parse(run({ GUARDKIT_HOME: '/elsewhere' }).stdout)).toEqual({ home: dataFolder });
  });

  it('is private to its owner, and written once', () => {
    const { dataFolder } = launcher('');
    expect(statSync(launcherPath(dataFolder)).mode & 0o777).toBe(0o700);
    const parts = { node: process.execPath, program: join(dataFolder, 'program.cjs'), dataFolder };
    expect(writeLauncher(parts)).toBe(false);
    expect(writeLauncher({ ...parts, program: '/other' })).toBe(true);
  });
});

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

  it('warns on a machine without GuardKit, and allows everything', () => {
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

  it('refuses if GuardKit’s launcher is missing, but never a person’s prompt', () => {
    const { add, run } = machine();
    add('ledger.db', '');
    expect(run(shared.refusing)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('doctor --fix'),
    });
    expect(run(shared.letting).status).toBe(0);
    expect(JSON.parse(run(shared.beginning).stdout).systemMessage).toContain('doctor --fix');
  });

  it('runs the launcher, and refuses if it fails', () => {
    const { add, run } = machine();
    add('bin/guardkit-hook', '#!/bin/sh\necho "$@"\n');
    expect(run(shared.refusing)).toMatchObject({ status: 0, stdout: 'claude\n' });
    expect(run(shared.beginning)).toMatchObject({ status: 0, stdout: 'claude --never-refuse\n' });
    add('bin/guardkit-hook', '#!/bin/sh\nexit 1\n');
    expect(run(shared.refusing).status).toBe(2);
  });
});

describe('the hook in a person’s own settings', () => {
  it('refuses if the launcher is missing', () => {
    const { data, run } = machine();
    expect(run(ownHookCommand(data, 'claude').refusing).status).toBe(2);
  });
});
