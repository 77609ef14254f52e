import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sharedHookCommand } from '../../../src/enforcement/install/hook-launcher.ts';
import {
  gitCommandWindows,
  noteEndedGitCommands,
} from '../../../src/enforcement/shell/git-command-windows.ts';
import { writePreviousSettings } from '../../../src/enforcement/shell/previous-settings.ts';
import { shellFolder } from '../../../src/enforcement/shell/shell-folder.ts';
import { isWrapped } from '../../../src/enforcement/shell/wrapped-processes.ts';
import { shellPrefix } from '../../../src/enforcement/shell/write-launcher.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { WrappedProject } from './wrapped-project.ts';

beforeEach(async (context) => {
  await bubblewrap(context);
});

function project(options: ConstructorParameters<typeof WrappedProject>[0] = {}): WrappedProject {
  const made = new WrappedProject(options);
  made.refresh();
  return made;
}

/** The form in which Claude Code passes a command to its prefix. */
function asClaude(command: string): string {
  const quoted = `'${command.replaceAll("'", `'"'"'`)}'`;
  return `source /x/shell-snapshots/snapshot-bash-1.sh 2>/dev/null || true && eval ${quoted} < /dev/null && pwd -P >| /dev/null`;
}

describe('the launcher', () => {
  it('runs a command with its input, output, errors and exit code', () => {
    const result = project().run('read -r line; echo "got $line"; echo bad >&2; exit 7', {
      input: 'a line\n',
    });
    expect(result).toMatchObject({ status: 7, stdout: 'got a line\n', stderr: 'bad\n' });
  });

  it.each(['true', ': git am'])('exits with 128 plus the signal that ended “%s; kill”', (command) => {
    expect(project().run(`${command}; kill -KILL $$`).status).toBe(137);
  });

  it('passes 20 MB through in both profiles', () => {
    const one = project();
    for (const command of ['', ' # git clean'])
      expect(one.run(`head -c 20000000 /dev/zero${command}`).stdout).toHaveLength(20_000_000);
  });

  it('runs in folders with spaces, quotes, a newline and “ -” in their names', () => {
    const one = project({ names: { project: `it's a "pro ject\n`, data: "my -data 'x'" } });
    expect(one.run('echo x > .guardkit/config.yaml').status).toBe(1);
    expect(one.run('echo x > src/b.js').status).toBe(0);
    expect(one.run('echo y > .guardkit/config.yaml # git checkout').status).toBe(0);
    expect(shellPrefix(one.data, one.gitFolder)).toMatch(/ --$/);
    expect(spawnSync(one.launcher, ['--', 'exit 5'], { cwd: one.folder }).status).toBe(5);
  });

  it('runs a previous prefix inside the sandbox', () => {
    const one = new WrappedProject();
    const chained = join(one.top, 'their prefix');
    writeFileSync(
      chained,
      '#!/bin/bash\necho "chained $#: $1"\necho x > .guardkit/config.yaml\nexec bash -c "${@: -1}"\n',
    );
    chmodSync(chained, 0o755);
    mkdirSync(shellFolder(one.data, one.gitFolder).path, { recursive: true });
    writePreviousSettings(one.data, one.gitFolder, {
      prefix: `${chained} -x`,
      from: 'home',
      hooksEnabled: false,
    });
    one.refresh();
    const result = one.run("echo 'a  b'; exit 3");
    expect(result).toMatchObject({ status: 3, stdout: 'chained 2: -x\na  b\n' });
    expect(one.read('.guardkit/config.yaml')).toBe('project: shop\n');
  });

  it('refuses every command without its profile or without bubblewrap', () => {
    const one = project();
    rmSync(shellFolder(one.data, one.gitFolder).profiles.ordinary);
    expect(one.run('echo ran')).toMatchObject({ status: 126, stdout: '' });
    expect(one.run('echo ran').stderr).toContain('guardkit doctor');
    expect(one.run('true # git clean').status).toBe(0);
    expect(spawnSync(one.launcher, [], { cwd: one.folder }).status).toBe(126);
    expect(spawnSync(one.launcher, ['a', 'b'], { cwd: one.folder }).status).toBe(126);
  });

  it('runs an already wrapped command without a second sandbox', () => {
    const one = project();
    const inner = `'${one.launcher}' 'echo x > .guardkit/config.yaml; echo y > src/y; exit 4'`;
    expect(one.run(inner).status).toBe(4);
    expect(existsSync(one.path('src/y'))).toBe(true);
    expect(one.read('.guardkit/config.yaml')).toBe('project: shop\n');
  });

  it('accepts another sandbox only if that protects the same paths', () => {
    const one = project();
    const other = (...more: string[]) =>
      spawnSync(
        'bwrap',
        ['--ro-bind', '/', '/', ...more, '--cap-drop', 'ALL', '--', one.launcher, 'echo ran'],
        {
          cwd: one.folder,
          env: one.env(),
          encoding: 'utf8',
        },
      );
    expect(other()).toMatchObject({ status: 0, stdout: 'ran\n' });
    // Root cannot create a nested sandbox; other users can.
    const open = other('--bind', one.folder, one.folder);
    expect([0, 126]).toContain(open.status);
    expect(open.status === 0 || open.stderr.includes('another sandbox')).toBe(true);
  });

  it('skips GuardKit’s own hooks that run through a shell', () => {
    const one = project();
    for (const command of Object.values(sharedHookCommand('claude')))
      expect(one.run(command)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('lets out only single commands that start with an allowed word', () => {
    const one = project({ allow: { outside: ['ls', 'bad word', '-x'] } });
    const mounts = (command: string) => one.run(asClaude(command)).stdout.includes('/profile/');
    writeFileSync(join(one.top, 'ls'), '#!/bin/sh\ncat /proc/self/mountinfo\n', { mode: 0o755 });
    const env = { ...one.env(), PATH: `${one.top}:${process.env.PATH}` };
    const run = (command: string) =>
      spawnSync(one.launcher, [asClaude(command)], { cwd: one.folder, env, encoding: 'utf8' }).stdout;
    expect(run('ls .')).not.toContain('/profile/ordinary');
    for (const command of ['ls', 'ls . ; ls', 'ls $(ls)', "ls 'a'", 'ls .\nls', 'ls . && ls', ' ls .'])
      expect(run(command)).toContain('/profile/ordinary');
    expect(mounts('cat /proc/self/mountinfo')).toBe(true);
  });
});

describe('a git command', () => {
  it('has begin and end marks, and shows its profile while it runs', async () => {
    const one = project();
    expect(gitCommandWindows(one.data, one.gitFolder)).toEqual([]);
    const child = spawn(one.launcher, ['echo ready; read -r line # git checkout'], {
      cwd: one.folder,
      env: one.env(),
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(gitCommandWindows(one.data, one.gitFolder)).toMatchObject([{ end: undefined }]);
    child.stdin.end('go\n');
    await new Promise((resolve) => child.once('close', resolve));
    const [window] = gitCommandWindows(one.data, one.gitFolder);
    expect(window?.end).toBeGreaterThanOrEqual(window?.begin ?? Number.POSITIVE_INFINITY);
    expect(one.run('true').status).toBe(0);
    expect(gitCommandWindows(one.data, one.gitFolder)).toHaveLength(1);
  });

  it('ends at the next observation, even if an ordinary command still runs', async () => {
    const one = project();
    const server = spawn(one.launcher, ['echo ready; read -r line'], { cwd: one.folder, env: one.env() });
    await new Promise((resolve) => server.stdout.once('data', resolve));
    expect(one.run('true # git checkout').status).toBe(0);
    const marks = () => readdirSync(shellFolder(one.data, one.gitFolder).gitCommands);
    expect(marks().some((name) => name.endsWith('.end'))).toBe(false);
    noteEndedGitCommands(one.data, one.gitFolder);
    expect(marks().some((name) => name.endsWith('.end'))).toBe(true);
    server.stdin.end('go\n');
    await new Promise((resolve) => server.once('close', resolve));
  });

  it('keeps the profile that it was started with', () => {
    const one = project();
    expect(one.run('true # git checkout').status).toBe(0);
    const { profiles } = shellFolder(one.data, one.gitFolder);
    const begun = readFileSync(profiles.git);
    writeFileSync(profiles.git, '');
    const [window] = gitCommandWindows(one.data, one.gitFolder);
    expect(readFileSync(window?.mounts ?? '').equals(begun)).toBe(true);
  });

  it('with a leftover process counts as running until that has ended', async () => {
    const one = project();
    const left = spawnSync(one.launcher, ['sleep 300 >/dev/null 2>&1 & echo $! # git stash'], {
      cwd: one.folder,
      env: one.env(),
      encoding: 'utf8',
    });
    const pid = Number(left.stdout);
    onTestFinished(() => kill(pid));
    expect(isWrapped(pid)).toBe('git');
    expect(gitCommandWindows(one.data, one.gitFolder)).toMatchObject([{ end: undefined }]);
    kill(pid);
    await gone(pid);
    expect(gitCommandWindows(one.data, one.gitFolder)[0]?.end).toBeGreaterThan(0);
  });

  it('whose launcher was killed counts as running until its processes have ended', async () => {
    const one = project();
    const child = spawn(one.launcher, ['echo $$; exec sleep 300 # git am'], {
      cwd: one.folder,
      env: one.env(),
    });
    const pid = Number(
      await new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text)))),
    );
    onTestFinished(() => kill(pid));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(gitCommandWindows(one.data, one.gitFolder)).toMatchObject([{ end: undefined }]);
    kill(pid);
    await gone(pid);
    expect(gitCommandWindows(one.data, one.gitFolder)[0]?.end).toBeGreaterThan(0);
  });

  it('that passed an open folder to an ordinary command counts as running until that is closed', async () => {
    const one = project();
    const script = join(one.top, 'hand.py');
    const socket = join(one.top, 'socket');
    writeFileSync(
      script,
      [
        'import os, socket, sys',
        's = socket.socket(socket.AF_UNIX)',
        `if sys.argv[1] == 'take':`,
        `  s.bind('${socket}'); s.listen(1); print('ready', flush=True)`,
        `  held = socket.recv_fds(s.accept()[0], 10, 1); print('held', flush=True); sys.stdin.readline()`,
        'else:',
        `  s.connect('${socket}'); socket.send_fds(s, [b'x'], [os.open('.guardkit', os.O_RDONLY)])`,
      ].join('\n'),
    );
    const taker = spawn(one.launcher, [`exec python3 '${script}' take`], { cwd: one.folder, env: one.env() });
    let text = '';
    const said = (word: string) =>
      new Promise<void>((resolve) => {
        const look = () => text.includes(word) && resolve();
        taker.stdout.on('data', (more) => {
          text += more;
          look();
        });
        look();
      });
    await said('ready');
    one.run(`true # git status`);
    expect(gitCommandWindows(one.data, one.gitFolder)).toEqual([]);
    expect(one.run(`python3 '${script}' give # git checkout`).status).toBe(0);
    await said('held');
    expect(gitCommandWindows(one.data, one.gitFolder)).toMatchObject([{ end: undefined }]);
    taker.stdin.end('go\n');
    await new Promise((resolve) => taker.once('close', resolve));
    expect(gitCommandWindows(one.data, one.gitFolder)[0]?.end).toBeGreaterThan(0);
  });

  it('ends while an ordinary command without its descriptors still runs', async () => {
    const one = project();
    const server = spawn(one.launcher, ['echo ready; read -r line'], { cwd: one.folder, env: one.env() });
    await new Promise((resolve) => server.stdout.once('data', resolve));
    one.run('true # git checkout');
    expect(gitCommandWindows(one.data, one.gitFolder)[0]?.end).toBeGreaterThan(0);
    server.stdin.end('go\n');
    await new Promise((resolve) => server.once('close', resolve));
  });

  it('receives Ctrl-C and SIGTERM', async () => {
    const one = project();
    for (const [signal, group] of [
      ['SIGINT', true],
      ['SIGTERM', false],
    ] as const) {
      const command = `trap 'echo heard; exit 9' INT TERM; echo ready; while :; do read -t 1 -r line || true; done # git clean`;
      const child = spawn(one.launcher, [command], { cwd: one.folder, env: one.env(), detached: true });
      let text = '';
      const ready = new Promise<void>((resolve) => {
        child.stdout.on('data', (more) => {
          text += more;
          if (text.includes('ready')) resolve();
        });
      });
      await ready;
      process.kill(group ? -Number(child.pid) : Number(child.pid), signal);
      const code = await new Promise((resolve) => child.once('close', resolve));
      // Ctrl-C also ends bwrap itself, which then does not wait for the command.
      expect([code, text]).toEqual([group ? 130 : 9, 'ready\nheard\n']);
    }
    expect(gitCommandWindows(one.data, one.gitFolder).every(({ end }) => end !== undefined)).toBe(true);
  });

  it('keeps its exit code if a signal replaces the result of wait', () => {
    const one = project();
    const start = join(one.folder, '..', 'start.sh');
    writeFileSync(start, 'wait() { builtin wait "$@"; return 143; }');
    const env = { ...one.env(), BASH_ENV: start };
    const { status } = spawnSync(one.launcher, ['exit 9 # git clean'], { cwd: one.folder, env });
    expect(status).toBe(9);
    const marks = readdirSync(shellFolder(one.data, one.gitFolder).gitCommands);
    expect(marks.some((name) => name.endsWith('.code'))).toBe(false);
  });

  it('is dropped a day after its end', () => {
    const one = project();
    one.run('true # git clean');
    const tomorrow = Date.now() + 25 * 3600 * 1000;
    expect(gitCommandWindows(one.data, one.gitFolder, tomorrow)).toEqual([]);
    expect(readdirSync(shellFolder(one.data, one.gitFolder).gitCommands)).toEqual([]);
  });
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function gone(pid: number): Promise<void> {
  while (isWrapped(pid) !== undefined) await new Promise((resolve) => setTimeout(resolve, 10));
}
