import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, type TestContext } from 'vitest';
import type { SandboxPolicy } from '../../../src/platform/sandbox/sandbox-policy.ts';
import { runSandboxed } from '../../support/bubblewrap.ts';
import { hasEnded } from '../../support/ended.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let root: string;
/** The data folder: hidden, though the checkout within it is writable. */
let data: string;
let checkout: string;

beforeEach(({ onTestFinished }) => {
  root = temporaryFolder(onTestFinished);
  data = join(root, 'data');
  checkout = join(data, 'worktrees/shop/FEAT-A');
  mkdirSync(join(checkout, '.guardkit/config'), { recursive: true });
  mkdirSync(join(checkout, '.claude/commands'), { recursive: true });
  writeFileSync(join(data, 'ledger.db'), 'ledger');
  writeFileSync(join(checkout, '.guardkit/config.yaml'), 'project: shop\n');
  writeFileSync(join(checkout, '.claude/settings.json'), '{}\n');
  writeFileSync(join(checkout, '.env'), 'TOKEN=1234\n');
  writeFileSync(join(checkout, 'code.js'), 'old\n');
});

function policy(): Partial<SandboxPolicy> {
  return {
    writable: [checkout],
    readOnly: [join(checkout, '.guardkit'), join(checkout, '.claude/settings.json')],
    hidden: [data, join(checkout, '.env')],
  };
}

function attack(context: TestContext, script: string, more: Partial<SandboxPolicy> = {}) {
  return runSandboxed(context, script, { cwd: checkout }, { ...policy(), ...more });
}

/** Everything that has to be as it was. */
function expectUnharmed(): void {
  expect(readFileSync(join(data, 'ledger.db'), 'utf8')).toBe('ledger');
  expect(readdirSync(data).sort()).toEqual(['ledger.db', 'worktrees']);
  expect(readFileSync(join(checkout, '.guardkit/config.yaml'), 'utf8')).toBe('project: shop\n');
  expect(readdirSync(join(checkout, '.guardkit')).sort()).toEqual(['config', 'config.yaml']);
  expect(readFileSync(join(checkout, '.claude/settings.json'), 'utf8')).toBe('{}\n');
  expect(lstatSync(join(checkout, '.guardkit/config.yaml')).mode & 0o777).toBe(0o644);
  expect(readFileSync(join(checkout, '.env'), 'utf8')).toBe('TOKEN=1234\n');
}

describe('in the sandbox', () => {
  it('a command works on its own files, and its work stays', async (context) => {
    const script =
      'cat .guardkit/config.yaml; echo new > code.js; mkdir made; ls ../../..; echo x > /tmp/scratch';
    const result = await attack(context, script);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'project: shop\nworktrees\n', sandboxed: true });
    expect(readFileSync(join(checkout, 'code.js'), 'utf8')).toBe('new\n');
    expect(existsSync(join(checkout, 'made'))).toBe(true);
    expect(existsSync('/tmp/scratch')).toBe(false);
    expectUnharmed();
  });

  it.for([
    ['removing', 'rm -rf .guardkit .claude .env "$PWD" ../../../ledger.db'],
    ['writing', 'echo x >> .guardkit/config.yaml; echo x > .claude/settings.json; echo x > .env'],
    ['adding', 'echo x > .guardkit/config/quality-gates.yaml; echo x > ../../../outbox.db'],
    ['renaming', 'mv .guardkit g; mv .claude c; mv .claude/settings.json s; mv .env e'],
    [
      'replacing by a rename',
      'echo x > n; mv -f n .guardkit/config.yaml; echo x > n; mv -f n .claude/settings.json',
    ],
    ['replacing a folder above', 'mv .claude c; mkdir .claude; echo x > .claude/settings.json'],
    ['moving the whole checkout away', 'mv "$PWD" ../other; mv .. ../../other'],
    ['a symbolic link', 'ln -s "$PWD/.guardkit/config.yaml" l; echo x > l; ln -sfn . .guardkit'],
    [
      'a hard link',
      'ln .guardkit/config.yaml h && echo x > h; ln .claude/settings.json h2 && echo x > h2; ln .env h3 && echo x > h3',
    ],
    ['changing modes and owners', 'chmod -R 777 .guardkit .claude/settings.json; chown -R 1:1 .guardkit'],
    ['cutting and times', 'truncate -s 0 .guardkit/config.yaml; touch -d 2001-01-01 .guardkit/config.yaml'],
    [
      'mounting',
      'umount .guardkit; echo x > .guardkit/config.yaml; mount -o remount,rw,bind .guardkit; mount -o remount,rw /; mount -t tmpfs x .guardkit',
    ],
    [
      'namespaces of its own',
      'unshare -Urm sh -c "umount .guardkit; mount -o remount,rw,bind .guardkit; echo x > .guardkit/config.yaml"; ' +
        'unshare -Um sh -c "umount -l ../../..; cat ../../../ledger.db; echo x > .guardkit/config.yaml"',
    ],
    [
      'the roots of processes',
      'for p in /proc/[0-9]* /proc/self; do for r in root cwd; do ' +
        'echo x > "$p/$r$PWD/.guardkit/config.yaml"; echo x > "$p/$r/.guardkit/config.yaml"; ' +
        `cat "$p/$r${'$'}(dirname "$PWD")/../../ledger.db"; done; done`,
    ],
  ] as const)('what is protected withstands %s', async ([, script], context) => {
    const { tail } = await attack(context, script);
    expectUnharmed();
    expect(tail).not.toContain('ledger\n');
  });

  it('a hidden path cannot be read, listed or written', async (context) => {
    const result = await attack(
      context,
      `cat .env; cat ${data}/ledger.db; ls -A ${data}; chmod 777 ${data}; echo x > ${data}/y && echo written; wc -c < .env`,
    );
    expect(result.stdout).toBe('worktrees\n');
    expect(result.exitCode).not.toBe(0);
    expectUnharmed();
  });

  it('a missing protected path cannot be created, and is not left behind', async (context) => {
    const missing = [join(checkout, '.claude/hooks/'), join(checkout, '.codex/deep/config.toml')];
    const script =
      'ls -d .claude/hooks .codex/deep/config.toml; echo x > .claude/hooks/stop.sh; echo x > .codex/deep/config.toml; ' +
      'rm -rf .codex; mv .codex c; mv .codex/deep d; echo kept > .claude/commands/mine.md';
    const result = await attack(context, script, { readOnly: missing });
    // It is there and empty while the command runs, and gone afterwards.
    expect(result.stdout).toBe('.claude/hooks\n.codex/deep/config.toml\n');
    expect(existsSync(join(checkout, '.codex'))).toBe(false);
    expect(readdirSync(join(checkout, '.claude')).sort()).toEqual(['commands', 'settings.json']);
    expect(readFileSync(join(checkout, '.claude/commands/mine.md'), 'utf8')).toBe('kept\n');
  });

  it('files that a command adds next to a placeholder stay', async (context) => {
    await attack(context, 'echo mine > .codex/notes', { readOnly: [join(checkout, '.codex/config.toml')] });
    expect(readdirSync(join(checkout, '.codex'))).toEqual(['notes']);
  });

  it('a protected file behind a link is protected, and the link is reported as replaceable', async (context) => {
    mkdirSync(join(checkout, 'shared'));
    writeFileSync(join(checkout, 'shared/settings.json'), 'mine\n');
    symlinkSync('shared', join(checkout, '.gemini'));
    const path = join(checkout, '.gemini/settings.json');
    const result = await attack(context, 'echo x > .gemini/settings.json; mv shared s', { readOnly: [path] });
    expect(result.replaceable).toEqual([path]);
    expect(readFileSync(join(checkout, 'shared/settings.json'), 'utf8')).toBe('mine\n');
  });

  it('root is root by number only', async (context) => {
    const script = 'grep -E "^Cap(Prm|Eff|Inh|Amb)" /proc/self/status | grep -v 0000000000000000; exit 0';
    expect(await attack(context, script)).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it("nothing of the system can be changed: no file, no kernel setting, no other's memory", async (context) => {
    const targets = [
      '/etc/guardkit-was-here',
      '/usr/bin/guardkit-was-here',
      '/proc/sys/kernel/core_pattern',
      '/proc/sys/kernel/hostname',
      '/proc/sysrq-trigger',
      '/sys/kernel/uevent_helper',
      '/sys/fs/cgroup/guardkit-was-here',
    ];
    const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
    const script = targets.map((target) => `( : >> ${target} ) && echo ${target}`).join('\n');
    expect((await attack(context, `${script}\nexit 0`)).stdout).toBe('');
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
  });

  it('no device but the harmless ones is there, and none can be made', async (context) => {
    const script =
      'ls -d /dev/sd* /dev/vd* /dev/nvme* /dev/mem /dev/kmsg /dev/fuse; mknod d b 254 0 && cat d; exit 0';
    expect((await attack(context, `{ ${script}; } 2>/dev/null`)).stdout).toBe('');
  });

  it("the sockets of the machine's services are out of sight", async (context) => {
    // The one file that stays visible, if it exists.
    const kept = realpathSync('/etc/resolv.conf');
    const { stdout } = await attack(context, 'find /run /tmp /var/tmp -type f -o -type s');
    const seen = stdout
      .split('\n')
      .filter((path) => path !== '' && path !== kept && !path.startsWith(checkout));
    expect(seen).toEqual([]);
  });

  it('other processes can be neither seen nor ended, and its own all end', async (context) => {
    const neighbour = startNeighbour(context);
    // Ending everything is tried only where the command sees so few processes that they must be its own.
    const count = 'ls -d /proc/[0-9]* | wc -l';
    const script = `kill -9 ${neighbour.pid} 2>/dev/null; ${count}; setsid sleep 300 & [ $(${count}) -lt 8 ] && kill -9 -1; exit 6`;
    const result = await attack(context, script);
    expect(result).toMatchObject({ exitCode: 6, signal: null });
    // bubblewrap itself, the shell and the two that count.
    expect(Number(result.stdout)).toBeLessThanOrEqual(5);
    expect(hasEnded(neighbour.pid ?? 0)).toBe(false);
  });

  it('the secrets of the home folder are hidden, the caches are writable and the rest can be read', async (context) => {
    const home = join(root, 'home');
    for (const folder of [
      '.ssh',
      '.config/gh',
      '.cache',
      '.cargo/registry',
      '.cargo/bin',
      'go/bin',
      '.claude/projects',
    ])
      mkdirSync(join(home, folder), { recursive: true });
    for (const file of [
      '.ssh/id_ed25519',
      '.netrc',
      '.config/gh/hosts.yml',
      '.claude/projects/a',
      '.npmrc',
      '.gitconfig',
    ])
      writeFileSync(join(home, file), `content of ${file}\n`);
    const script = [
      'cd "$HOME"',
      'cat .ssh/id_ed25519 .netrc .config/gh/hosts.yml .claude/projects/a',
      'cat .npmrc .gitconfig',
      'for f in .cache .cargo/registry .cargo/bin go/bin . .config; do : > $f/new && echo $f; done',
    ].join('\n');
    // Not in /tmp, which is private, but in a folder that can be read.
    const { stdout } = await runSandboxed(
      context,
      script,
      { cwd: checkout, env: { ...process.env, HOME: home, PATH: '/usr/bin:/bin' } },
      { ...policy(), readOnly: [home] },
    );
    expect(stdout).toBe('content of .npmrc\ncontent of .gitconfig\n.cache\n.cargo/registry\n');
  });

  it('a policy path in the home folder overrides the defaults', async (context) => {
    const home = join(root, 'home');
    mkdirSync(join(home, '.claude'), { recursive: true });
    writeFileSync(join(home, '.claude/.credentials.json'), 'mine\n');
    const { stdout } = await runSandboxed(
      context,
      'cat "$HOME/.claude/.credentials.json"; : > "$HOME/.claude/new" && echo written',
      { cwd: checkout, env: { ...process.env, HOME: home } },
      { ...policy(), writable: [checkout, join(home, '.claude')] },
    );
    expect(stdout).toBe('mine\nwritten\n');
  });

  it.skipIf(process.getuid?.() !== 0)('root cannot read the passwords of the machine', async (context) => {
    expect((await attack(context, 'cat /etc/shadow /etc/gshadow; ls -A /etc/ssh')).stdout).toBe('');
  });

  it('a world-writable file is not writable inside either', async (context) => {
    chmodSync(join(checkout, '.guardkit/config.yaml'), 0o666);
    await attack(context, 'echo x > .guardkit/config.yaml');
    expect(readFileSync(join(checkout, '.guardkit/config.yaml'), 'utf8')).toBe('project: shop\n');
  });
});

function startNeighbour(context: TestContext): ChildProcess {
  const neighbour = spawn('sleep', ['300'], { stdio: 'ignore' });
  context.onTestFinished(() => {
    neighbour.kill('SIGKILL');
  });
  return neighbour;
}
