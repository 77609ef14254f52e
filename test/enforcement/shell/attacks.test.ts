import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { isWrapped } from '../../../src/enforcement/shell/wrapped-processes.ts';
import { keysFolder, makeMachineKey } from '../../../src/platform/signing/machine-key.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { further, rows } from '../../support/thorough.ts';
import { OTHER_USER, WrappedProject } from './wrapped-project.ts';

const IS_ROOT = process.getuid?.() === 0;
/** Root keeps some rights inside the sandbox, other users none: both are tested if possible. */
const USERS: [string, number | undefined][] = IS_ROOT
  ? [
      ['root', undefined],
      ['another user', OTHER_USER],
    ]
  : [['this user', undefined]];

beforeEach(async (context) => {
  await bubblewrap(context);
});

/** Content, kind and mode of everything that ordinary commands must not change. */
function protectedState(one: WrappedProject): string {
  const hash = createHash('sha256');
  const visit = (path: string) => {
    const entries = existsSync(path) ? readdirSync(path, { withFileTypes: true }) : [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const full = join(path, entry.name);
      if (full.startsWith(one.path('.claude/progress')) || /\/(?:git-commands|tmux)/.test(full)) continue;
      hash.update(`${full}\0${entry.isDirectory() ? 'd' : entry.isFile() ? readFileSync(full) : 'o'}\0`);
      if (entry.isDirectory()) visit(full);
    }
  };
  for (const path of ['.guardkit', '.claude', 'tasks', '.git/hooks']) visit(one.path(path));
  visit(join(one.home, '.claude'));
  visit(one.data);
  for (const name of ['.bashrc', '.gitconfig']) hash.update(readFileSync(join(one.home, name)));
  return hash.digest('hex');
}

/** `OUT` is a process of the same user outside the sandbox, `P` the project. */
const ATTACKS = [
  'echo x > .git/hooks/pre-commit',
  'echo x > .claude/settings.local.json',
  'echo x > .claude/new.json',
  'mkdir .claude/skills',
  'mkdir -p .claude/agents/more',
  'echo x > .guardkit/config.yaml',
  'echo x >> tasks/TASK-1.md',
  'touch tasks/TASK-9.md',
  'rm -rf .guardkit tasks .claude/agents',
  'chmod 777 .guardkit .guardkit/config.yaml',
  'mv .claude .c2',
  'mv .git .g2',
  'mv .guardkit .k2',
  'mv tasks t2',
  'mv .git/hooks .git/h2',
  'rmdir .git/hooks; rm -r .git/hooks',
  'ln src/a.js .git/hooks/pre-commit',
  'ln .guardkit/config.yaml src/hl && echo x >> src/hl',
  'ln -sf /etc/passwd .guardkit/config.yaml',
  'ln -sfn /tmp .guardkit',
  'cp --reflink=auto src/a.js .guardkit/config.yaml',
  'sed -i s/shop/other/ .guardkit/config.yaml',
  'truncate -s 0 tasks/TASK-1.md',
  'dd if=/dev/zero of=tasks/TASK-1.md count=1',
  "python3 -c \"import os; os.rename('src/a.js', 'tasks/TASK-1.md')\"",
  'umount .git/hooks',
  'umount -l $P/.guardkit',
  'mount -o remount,rw,bind $P/.guardkit',
  'mount --bind src .guardkit',
  'mount -t tmpfs none .guardkit',
  'unshare -Urm sh -c "umount $P/.git/hooks; echo x > .git/hooks/zz"',
  'unshare -Urm sh -c "umount -l $P/.git; echo x > .git/hooks/zz"',
  'unshare -Urm sh -c "mount -o remount,rw,bind $P/.guardkit; echo x > .guardkit/config.yaml"',
  'mkdir -p src/m; unshare -Urm sh -c "mount --bind $P src/m && echo x > src/m/.guardkit/config.yaml"',
  'mkdir -p src/m; unshare -Urm sh -c "mount --rbind $P src/m && echo x > src/m/.guardkit/config.yaml"',
  'mkdir -p src/m; mount --bind $P src/m && echo x > src/m/.guardkit/config.yaml',
  'bwrap --dev-bind / / -- sh -c "echo x > .git/hooks/zz"',
  'bwrap --dev-bind / / --bind .git/hooks .git/hooks -- sh -c "echo x > .git/hooks/zz"',
  'bwrap --bind $P /mnt --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 -- sh -c "echo x > /mnt/.git/hooks/zz"',
  'echo x > /proc/$OUT/root$P/.git/hooks/zz',
  'echo x > /proc/$OUT/cwd/.git/hooks/zz',
  'cd /proc/$OUT/cwd && echo x > .guardkit/config.yaml',
  'ls /proc/$OUT/fd/ && echo x > /proc/$OUT/fd/9',
  'nsenter -t $OUT -m sh -c "echo x > $P/.git/hooks/zz"',
  'nsenter -t $OUT -U -m sh -c "echo x > $P/.git/hooks/zz"',
  'chroot /proc/$OUT/root sh -c "echo x > $P/.git/hooks/zz"',
  'timeout 2 strace -f -p $OUT -o /dev/null -e trace=none',
  'gdb -p $OUT -batch -ex "call (int)system(\\"echo x > $P/.git/hooks/gdb\\")"',
  "python3 -c \"open('/proc/$OUT/mem', 'r+b')\"",
  'echo x > $HOME/.bashrc',
  'echo x > $HOME/.gitconfig; git config --global alias.x "!sh"',
  'rm $HOME/.bashrc; mv $HOME/.bashrc $HOME/.b2',
  'echo {} > $HOME/.claude/settings.json',
  'echo x > $HOME/.claude/skills/s.md',
  'echo {} > $HOME/.claude/settings.local.json; mkdir -p $HOME/.claude/agents $HOME/.claude/hooks',
  'mv $HOME/.claude $HOME/.c2',
  'for f in $DATA/shell/*/*; do echo > $f; done',
  'rm -rf $DATA; mv $DATA $DATA.2',
  'mkdir -p $DATA/shell/0000000000000000',
  'c=out; $DATA/shell/*/guardkit-shell "echo x > tasks/TASK-1.md # git check$c"',
  'git init -q --template=/nowhere; cp src/a.js .git/hooks/post-checkout',
];

describe.each(rows(1, USERS))('an ordinary command of %s', (_who, uid) => {
  it('cannot change a protected file in any way', () => {
    const one = new WrappedProject(uid === undefined ? {} : { uid });
    one.refresh();
    const outside = spawn('sleep', ['300'], {
      cwd: one.folder,
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    onTestFinished(() => void outside.kill());
    expect(isWrapped(Number(outside.pid))).toBeUndefined();
    const before = protectedState(one);
    const succeeded = ATTACKS.filter((attack) => {
      const names = `P='${one.folder}' DATA='${one.data}' OUT=${outside.pid}`;
      one.run(`export ${names}; ${attack}`);
      return protectedState(one) !== before;
    });
    expect(succeeded).toEqual([]);
    expect(one.run('touch src/ok && echo x > .claude/progress/list.json').status).toBe(0);
  });

  it('cannot read the key that signs attestations, though the key is newer than its profile', () => {
    const one = new WrappedProject(uid === undefined ? {} : { uid });
    one.refresh();
    makeMachineKey(one.data);
    one.refresh();
    const file = join(keysFolder(one.data), 'machine.pem');
    expect(readFileSync(file, 'utf8')).toContain('PRIVATE KEY');
    // The test itself is a process outside.
    const { stdout } = one.run(
      `cat '${file}' '/proc/${process.pid}/root${file}'; find '${one.data}' -name '*.pem'`,
    );
    expect(stdout).toBe('');
  });

  it('has no capability that could undo a mount', () => {
    const one = new WrappedProject(uid === undefined ? {} : { uid });
    one.refresh();
    const { stdout } = one.run('grep -E "NoNewPrivs|CapEff" /proc/self/status');
    expect(stdout).toMatch(/NoNewPrivs:\s+1/);
    const effective = BigInt(`0x${/CapEff:\s+([0-9a-f]+)/.exec(stdout)?.[1]}`);
    for (const bit of [2n, 16n, 17n, 19n, 21n, 27n]) expect(effective & (1n << bit)).toBe(0n);
  });

  it('cannot reach a tmux server outside, and keeps its own', () => {
    const one = new WrappedProject(uid === undefined ? {} : { uid });
    const number = uid ?? process.getuid?.() ?? 0;
    const sockets = `/tmp/tmux-${number}`;
    const existed = existsSync(sockets);
    const user = uid === undefined ? {} : { uid, gid: uid };
    const env = { PATH: process.env.PATH, HOME: one.home, TERM: 'xterm' };
    const name = `guardkit-${process.pid}`;
    const started = spawnSync('tmux', ['-L', name, '-f', '/dev/null', 'new-session', '-d', 'sleep 300'], {
      env,
      ...user,
    });
    onTestFinished(() => {
      spawnSync('tmux', ['-L', name, 'kill-server'], { env, ...user });
      // Another run may use it.
      if (!existed && uid !== undefined) spawnSync('rmdir', [sockets]);
    });
    expect(started.status).toBe(0);
    one.refresh();
    const before = protectedState(one);
    expect(one.run(`tmux -L ${name} new-window 'echo x > ${one.path('tasks/TASK-1.md')}'`).status).not.toBe(
      0,
    );
    expect(one.run('tmux -L own -f /dev/null new-session -d "sleep 300"').status).toBe(0);
    expect(one.run('tmux -L own list-sessions').status).toBe(0);
    expect(one.run('tmux -L own kill-server').status).toBe(0);
    expect(protectedState(one)).toBe(before);
    one.options.allow = { tmux: true };
    one.refresh();
    expect(one.run(`tmux -L ${name} list-sessions`).status).toBe(0);
  });

  it('keeps a protected folder read-only while the person replaces files in it', async () => {
    const one = new WrappedProject(uid === undefined ? {} : { uid });
    one.refresh();
    const as = uid === undefined ? {} : { uid, gid: uid };
    const child = spawn(one.launcher, ['echo ready; read -r line; echo x > .guardkit/config.yaml; echo $?'], {
      cwd: one.folder,
      env: one.env(),
      ...as,
    });
    let text = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (more) => {
        text += more;
        resolve();
      });
    });
    writeFileSync(one.path('.guardkit/new'), 'project: new\n');
    renameSync(one.path('.guardkit/new'), one.path('.guardkit/config.yaml'));
    child.stdin.end('go\n');
    await new Promise((resolve) => child.once('close', resolve));
    expect(text).toBe('ready\n1\n');
    expect(one.read('.guardkit/config.yaml')).toBe('project: new\n');
  });

  it('cannot write to other checkouts of the repository', () => {
    const one = new WrappedProject(uid === undefined ? {} : { uid });
    const tree = join(one.top, 'tree');
    one.git('worktree', 'add', '-q', tree);
    one.refresh();
    for (const path of ['.guardkit/config.yaml', '.claude/settings.local.json', 'tasks/TASK-1.md', '.git'])
      expect(one.run(`echo x > ${tree}/${path}`).status).toBe(1);
    expect(one.run(`echo x > ${tree}/src/a.js`).status).toBe(0);
    expect(one.run(`echo x > ${one.folder}/.guardkit/config.yaml`, { cwd: tree }).status).toBe(1);
  });
});

describe('a git command', () => {
  const ATTEMPTS = [
    'echo x > .claude/settings.local.json',
    'rm -f .claude/settings.local.json tasks/TASK-2.md',
    'mv tasks t2; mkdir tasks; echo x > tasks/TASK-2.md',
    'mv .claude c2; mkdir .claude; echo {} > .claude/settings.local.json',
    'echo x > .git/hooks/pre-commit; mv .git g2',
    'echo x > $HOME/.bashrc; echo x > $DATA/x',
    'git clean -fdxq; git stash -uq',
    'git reset -q --hard; git checkout -q -- .',
  ];

  it('changes no untracked protected file, and nothing outside the work tree', () => {
    const one = new WrappedProject();
    mkdirSync(one.path('.git/hooks'), { recursive: true });
    one.refresh();
    const before = protectedState(one);
    const succeeded = ATTEMPTS.filter((attempt) => {
      one.run(`export DATA='${one.data}'; ${attempt} # git checkout`);
      return protectedState(one) !== before;
    });
    expect(succeeded).toEqual([]);
  });

  it('leaves no hard link of a tracked file that a later command could write', () => {
    const one = new WrappedProject();
    one.refresh();
    const links = 'ln .guardkit/config.yaml src/one && ln .guardkit/guards/a.yaml src/two';
    expect(one.run(`chmod 755 .guardkit/guards/a.yaml && ${links} # git checkout`).status).toBe(0);
    expect(one.run('echo x > src/one; echo x > src/two').status).toBe(0);
    expect([one.read('.guardkit/config.yaml'), one.read('.guardkit/guards/a.yaml')]).toEqual([
      'project: shop\n',
      'a: 1\n',
    ]);
    expect(statSync(one.path('.guardkit/guards/a.yaml')).mode & 0o777).toBe(0o755);
    expect(readdirSync(one.path('.guardkit')).sort()).toEqual(['config.yaml', 'guards']);
  });
});

describe.runIf(IS_ROOT)('the servers of a user', () => {
  further('cannot be reached: systemd, the session bus, screen and zellij', () => {
    const runtime = `/run/user/${OTHER_USER}`;
    onTestFinished(() => void execFileSync('rm', ['-rf', runtime]));
    for (const name of ['systemd', 'zellij']) mkdirSync(join(runtime, name), { recursive: true });
    for (const name of ['bus', 'systemd/private', 'zellij/s'])
      execFileSync('python3', [
        '-c',
        `import socket; s = socket.socket(socket.AF_UNIX); s.bind(${JSON.stringify(join(runtime, name))})`,
      ]);
    execFileSync('chown', ['-R', `${OTHER_USER}:${OTHER_USER}`, runtime]);
    const one = new WrappedProject({ uid: OTHER_USER });
    one.refresh();
    const paths = ['bus', 'systemd/private', 'zellij/s'].map((name) => join(runtime, name));
    const sockets = `for s in ${paths.join(' ')}; do [ -S $s ] && echo $s; done`;
    expect(one.run(sockets).stdout).toBe('');
    expect(one.run('systemd-run --user true').status).not.toBe(0);
    one.options.allow = { systemd: true, screen: true };
    one.refresh();
    expect(one.run(sockets).stdout.trim().split('\n')).toHaveLength(3);
  });
});
