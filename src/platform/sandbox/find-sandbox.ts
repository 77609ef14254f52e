import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isProgram } from '../processes/find-program.ts';
import { runProcess } from '../processes/run-process.ts';
import { readSystem, sandboxArguments } from './sandbox-arguments.ts';

export interface AvailableSandbox {
  available: true;
  kind: 'bubblewrap';
  program: string;
  version: string;
}

export type SandboxStatus = AvailableSandbox | ({ available: false } & Refusal);

const TIMEOUT_MS = 10_000;

/** Folders of system programs. */
const SYSTEM_FOLDERS = [
  '/usr/bin',
  '/bin',
  '/usr/local/bin',
  '/usr/sbin',
  '/sbin',
  '/run/current-system/sw/bin',
];

const found = new Map<string, Promise<SandboxStatus>>();

/** Whether the sandbox works here, tested once per process by running a command in it. */
export function findSandbox(env: NodeJS.ProcessEnv = process.env): Promise<SandboxStatus> {
  const key = env.PATH ?? '';
  const known = found.get(key) ?? lookForSandbox(env);
  found.set(key, known);
  return known;
}

async function lookForSandbox(env: NodeJS.ProcessEnv): Promise<SandboxStatus> {
  if (process.platform !== 'linux')
    return {
      available: false,
      why: `the sandbox (bubblewrap) needs Linux; this is ${process.platform}`,
      hint: 'Run GuardKit on Linux, or continue without a sandbox: GuardKit then detects and reverts changes instead of preventing them.',
    };
  const program = findBubblewrap(env.PATH);
  if (!program)
    return {
      available: false,
      why: 'bubblewrap is not installed',
      hint: 'Install it: apt-get install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap or apk add bubblewrap.',
    };
  return proveSandbox(program);
}

export async function proveSandbox(program: string): Promise<SandboxStatus> {
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, timeoutMs: TIMEOUT_MS };
  const args = sandboxArguments({ entries: [], system: readSystem(), network: 'loopback', cwd: '/' });
  try {
    const version = await runProcess(program, ['--version'], options);
    const proof = await runProcess(program, [...args, '--', '/bin/sh', '-c', 'echo in'], options);
    if (proof.exitCode === 0 && proof.stdout === 'in\n')
      return {
        available: true,
        kind: 'bubblewrap',
        program,
        version: /\d[\w.]*/.exec(version.stdout)?.[0] ?? 'unknown',
      };
    return { available: false, ...explainRefusal(proof.tail, readSettings()) };
  } catch (error) {
    return {
      available: false,
      ...explainRefusal(error instanceof Error ? error.message : String(error), readSettings()),
    };
  }
}

/**
 * The PATH may contain folders that a candidate can write. Outside the system folders, a program counts only if it and its
 * folder belong to root and no one else can write them. If GuardKit runs as root, so does the candidate, and only the system
 * folders count.
 */
export function findBubblewrap(path: string | undefined): string | undefined {
  const system = SYSTEM_FOLDERS.map((folder) => join(folder, 'bwrap')).find(isProgram);
  if (system || process.getuid?.() === 0) return system;
  return (path ?? '')
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, 'bwrap'))
    .find((program) => isProgram(program) && isAdministrators(program));
}

function isAdministrators(program: string): boolean {
  const real = realpathSync(program);
  return [program, dirname(program), real, dirname(real)].every((path) => {
    const { uid, mode } = statSync(path);
    return uid === 0 && (mode & 0o022) === 0;
  });
}

function readSettings(): NamespaceSettings {
  return {
    unprivilegedClone: readSetting('kernel/unprivileged_userns_clone'),
    appArmorRestricts: readSetting('kernel/apparmor_restrict_unprivileged_userns'),
    maxUserNamespaces: readSetting('user/max_user_namespaces'),
  };
}

function readSetting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    // Safe: not every kernel has this setting.
    return undefined;
  }
}

/** Kernel settings; undefined if missing. */
interface NamespaceSettings {
  /** kernel.unprivileged_userns_clone, of Debian's kernels. */
  unprivilegedClone?: string;
  /** kernel.apparmor_restrict_unprivileged_userns, of Ubuntu's. */
  appArmorRestricts?: string;
  /** user.max_user_namespaces. */
  maxUserNamespaces?: string;
}

interface Refusal {
  why: string;
  hint: string;
}

/** Why the installed bubblewrap does not work, and the fix. */
export function explainRefusal(said: string, settings: NamespaceSettings): Refusal {
  const words = said.trim() || 'it gave no reason';
  if (/Unknown option/i.test(words))
    return { why: `bubblewrap is too old: ${words}`, hint: 'Install bubblewrap 0.5 or newer.' };
  if (!/namespace|uid map|Operation not permitted|Permission denied|No space left/i.test(words))
    return {
      why: `bubblewrap does not work here: ${words}`,
      hint: 'Run bwrap manually to see the error.',
    };
  const why = (reason: string) => `${reason}: ${words}`;
  if (settings.maxUserNamespaces === '0')
    return {
      why: why('user namespaces are disabled (user.max_user_namespaces is 0)'),
      hint: 'Allow them: sudo sysctl -w user.max_user_namespaces=10000',
    };
  if (settings.unprivilegedClone === '0')
    return {
      why: why('user namespaces are restricted to root (kernel.unprivileged_userns_clone is 0)'),
      hint: 'Allow them: sudo sysctl -w kernel.unprivileged_userns_clone=1',
    };
  if (settings.appArmorRestricts === '1')
    return {
      why: why(
        'AppArmor does not let programs without a profile create user namespaces ' +
          '(kernel.apparmor_restrict_unprivileged_userns is 1)',
      ),
      hint:
        'Give bwrap a profile that allows them: put "abi <abi/4.0>, include <tunables/global> profile bwrap ' +
        '/usr/bin/bwrap flags=(unconfined) { userns, }" into /etc/apparmor.d/bwrap and run ' +
        'sudo apparmor_parser -r /etc/apparmor.d/bwrap',
    };
  return {
    why: why('the system forbids the namespaces that the sandbox needs'),
    hint:
      'Inside a container, run as a user other than root who may create namespaces (for Docker: --user 1000 ' +
      '--security-opt seccomp=unconfined --security-opt systempaths=unconfined), or run GuardKit outside the container.',
  };
}
