import { resolve } from 'node:path';
import type { PathReach } from '../action.ts';
import type { Invocation } from '../command/command-analysis.ts';
import { fitsPattern } from '../command/words/fits-pattern.ts';
import { gitCall, hasFlag } from '../git-call.ts';
import type { Guard, GuardFacts, Objection } from '../guard.ts';
import { judgeGit, judgeSequenceEditor } from './destructive-git.ts';
import { leavesSandbox } from './leaves-sandbox.ts';

export const destructiveCommands: Guard = {
  id: 'destructive-commands',
  summary: 'Commands that destroy work or act outside the project need the person’s consent or are refused.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['command'],
  expires: undefined,
  judge(action, facts) {
    if (action.kind !== 'command') return undefined;
    const { invocations } = action.analysis;
    const found = [
      ...invocations.map(
        (invocation) => judgeInvocation(invocation, action.reaches) ?? leavesSandbox(invocation, facts),
      ),
      ...action.reaches.map((reach) => judgeReach(reach, invocations, facts)),
    ].filter((one) => one !== undefined);
    const order = ['deny', 'ask', 'warn'] as const;
    return order.flatMap((decision) => found.filter((one) => one.decision === decision))[0];
  },
};

const WIPING = /^(?:mkfs(?:\..+)?|wipefs|fdisk|sfdisk|cfdisk|parted|sgdisk|blkdiscard|hdparm)$/;
const STOPPING: ReadonlySet<string> = new Set(['shutdown', 'reboot', 'halt', 'poweroff']);

function judgeInvocation(invocation: Invocation, reaches: readonly PathReach[]): Objection | undefined {
  const { program, argv } = invocation;
  const git = gitCall(invocation);
  // Any git configuration is allowed in a temporary repository.
  if (git?.subcommand === 'config' && isTemporaryRepository(invocation, reaches)) return undefined;
  if (git) return judgeGit(git) ?? (git.subcommand === 'rebase' ? judgeEditor(invocation) : undefined);
  if (program === 'export') return judgeEditor(invocation);
  const args = argv.slice(1);
  if (args.includes('--help') || args.includes('--version')) return undefined;
  if (WIPING.test(program)) return deny(`${program} erases or partitions disks.`, 'No project needs it.');
  if (STOPPING.has(program)) return deny(`${program} stops the machine.`, 'Leave it running.');
  if (program === 'kill' && args.includes('-1') && args.some((word) => word.startsWith('-') && word !== '-1'))
    return deny('This ends every process of this user.', 'End the processes you started, by their numbers.');
  if ((program === 'pkill' || program === 'killall') && args.some((word) => /guardkit/i.test(word)))
    return deny('This ends GuardKit itself.', 'Leave it running.');
  if (program === 'crontab' && hasFlag(args, 'r'))
    return ask('removes every scheduled job of this user', 'Leave them in place.');
  return undefined;
}

/** Requires a `.git/config`, which a worktree of the project in a temporary folder does not have. */
function isTemporaryRepository({ argv, cwd }: Invocation, reaches: readonly PathReach[]): boolean {
  const folder = argv.reduce((at, word, index) => (argv[index - 1] === '-C' ? resolve(at, word) : at), cwd);
  return reaches.some(
    ({ file, by, mode }) =>
      by === 'git' &&
      mode === 'write' &&
      file.given === `${folder}/.git/config` &&
      file.exists === true &&
      file.inProject === undefined &&
      file.protectedAs === undefined &&
      TEMPORARY.test(file.real),
  );
}

/** Judges the sequence editor of a rebase, from a variable or a setting. */
function judgeEditor({ argv, env }: Invocation): Objection | undefined {
  const set = argv.flatMap(
    (word) => /^(?:sequence\.editor|GIT_SEQUENCE_EDITOR)=(.*)$/is.exec(word)?.[1] ?? [],
  );
  return judgeSequenceEditor([env.GIT_SEQUENCE_EDITOR ?? '', ...set].join('\n'));
}

const REMOVING: ReadonlySet<string> = new Set([
  'rm',
  'rmdir',
  'unlink',
  'shred',
  'find',
  'srm',
  'fd',
  'perl',
]);
/** These, and programs that move the found files away. */
const REMOVES_FOUND: ReadonlySet<string> = new Set([...REMOVING, 'mv', 'git']);
const RIGHTS: ReadonlySet<string> = new Set(['chmod', 'chown', 'chgrp', 'chattr', 'setfacl']);
const TEMPORARY = /^\/(?:tmp|var\/tmp|private\/(?:tmp|var\/folders)|var\/folders|dev\/shm|run\/user\/\d+)\//;
const CACHE =
  /\/(?:\.cache|\.npm\/_\w+|Library\/Caches|\.gradle\/caches|\.m2\/repository|\.yarn\/(?:berry\/)?cache|\.pnpm-store)(?:\/|$)/;
const DEVICE = /^\/dev\/(?!(?:null|zero|full|u?random|tty|std(?:in|out|err)|ptmx)$|(?:fd|shm|pts)\/)/;

function judgeReach(
  reach: PathReach,
  invocations: readonly Invocation[],
  { root }: GuardFacts,
): Objection | undefined {
  const { file, mode, by, glob, guess, shallow, search } = reach;
  const { real, given } = file;
  if (mode === 'write' && DEVICE.test(real))
    return deny(`This writes to the device ${real}.`, 'Write to a file in the project.');
  const changesRights = mode === 'write' && RIGHTS.has(by) && real !== root && isAbove(real, root);
  if (changesRights && guess === undefined && recursive(invocations, by))
    return deny(
      `This changes the permissions of everything in ${real}.`,
      'Name the files in the project that need it.',
    );
  if (mode !== 'delete') return undefined;
  if (search !== undefined) {
    const found = judgeSearch(search, by, root);
    if (found) return found;
  }
  // A partly unknown path counts only if its known start is outside the project.
  if (!REMOVING.has(by) || (guess === 'piece' && !leadsOut(real, root))) return undefined;
  const path = glob ? given : real;
  if (search === undefined && guess !== 'piece' && isAbove(path, root)) {
    if (shallow !== true)
      return deny(`This removes ${path === root ? 'the project' : path} and everything in it.`, NAME_THEM);
    return glob && by !== 'rmdir' ? ask(`removes every file in ${path.slice(0, -2)}`, NAME_THEM) : undefined;
  }
  if (file.inProject !== undefined || TEMPORARY.test(real) || CACHE.test(real)) return undefined;
  return ask(`removes ${given.slice(0, 200)}, which is outside the project`, NAME_THEM);
}

/** Judges the removal of search results in the project or a folder above it. */
function judgeSearch(
  { folder, extent }: NonNullable<PathReach['search']>,
  by: string,
  root: string,
): Objection | undefined {
  // rmdir removes only empty folders.
  if (!REMOVES_FOUND.has(by) || by === 'rmdir' || !isAbove(folder, root)) return undefined;
  const where = folder === root ? 'the project' : folder;
  if (extent === 'all') return deny(`This removes everything it finds in ${where}.`, NAME_THEM);
  if (extent === 'part' || folder !== root) return ask(`removes files all over ${where}`, NAME_THEM);
  return undefined;
}

/** Whether the known start of a path is outside the project and below the root of the disk. */
function leadsOut(real: string, root: string): boolean {
  const star = real.indexOf('*');
  const known = real.slice(0, star < 0 ? real.length : star).replace(/[^/]*$/, '');
  return known.length > 1 && !`${root}/`.startsWith(known) && !known.startsWith(`${root}/`);
}

const NAME_THEM = 'Remove the files you created, by name; leave everything else to the person.';

/** Whether the folder, or a match of its pattern, is the project or a folder above it. */
function isAbove(folder: string, root: string): boolean {
  if (folder === '/' || root === folder || root.startsWith(`${folder}/`)) return true;
  if (!/[*?[]/.test(folder)) return false;
  if (folder === `${root}/*`) return true;
  const wanted = folder.split('/');
  const found = root.split('/');
  return (
    wanted.length <= found.length && wanted.every((part, index) => fitsPattern(found[index] ?? '', part))
  );
}

function recursive(invocations: readonly Invocation[], program: string): boolean {
  return invocations.some((one) => one.program === program && hasFlag(one.argv, 'R', '--recursive'));
}

function deny(reason: string, guidance: string): Objection {
  return { decision: 'deny', reason, guidance };
}

function ask(what: string, guidance: string): Objection {
  return { decision: 'ask', reason: `This command ${what}.`, guidance };
}
