import { fitsGlob } from '../../domain/fits-glob.ts';
import type { CommandAction, PathReach } from '../action.ts';
import type { Invocation } from '../command/command-analysis.ts';
import { gitCall, hasFlag } from '../git-call.ts';
import type { Guard, Objection } from '../guard.ts';
import type { GuardFacts } from '../guard-facts.ts';
import { judgeGit } from './destructive-git.ts';

export const destructiveCommands: Guard = {
  id: 'destructive-commands',
  summary: 'Commands that lose work for good, or reach beyond the project, are asked about or refused.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['command'],
  expires: undefined,
  judge(action, facts) {
    if (action.kind !== 'command') return undefined;
    const found = [
      ...action.analysis.invocations.map((invocation) => judgeInvocation(invocation)),
      ...action.reaches.map((reach) => judgeReach(reach, action, facts)),
    ].filter((one) => one !== undefined);
    return found.find(({ decision }) => decision === 'deny') ?? found[0];
  },
};

const WIPING = /^(?:mkfs(?:\..+)?|wipefs|fdisk|sfdisk|cfdisk|parted|sgdisk|blkdiscard|hdparm)$/;
const STOPPING: ReadonlySet<string> = new Set(['shutdown', 'reboot', 'halt', 'poweroff']);

function judgeInvocation(invocation: Invocation): Objection | undefined {
  const { program, argv } = invocation;
  const git = gitCall(invocation);
  if (git) return judgeGit(git);
  const args = argv.slice(1);
  if (args.includes('--help') || args.includes('--version')) return undefined;
  if (WIPING.test(program))
    return deny(`${program} wipes or divides disks.`, 'Nothing in a project needs it.');
  if (STOPPING.has(program)) return deny(`${program} stops the machine.`, 'Leave it running.');
  if (program === 'kill' && args.includes('-1') && args.some((word) => word.startsWith('-') && word !== '-1'))
    return deny('This ends every process of this user.', 'End by its number what you started.');
  if ((program === 'pkill' || program === 'killall') && args.some((word) => /guardkit/i.test(word)))
    return deny('This ends GuardKit itself.', 'Leave it running.');
  if (program === 'crontab' && hasFlag(args, 'r'))
    return ask('removes every planned job of this user', 'Leave them.');
  return undefined;
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
const RIGHTS: ReadonlySet<string> = new Set(['chmod', 'chown', 'chgrp', 'chattr', 'setfacl']);
const TEMPORARY = /^\/(?:tmp|var\/tmp|private\/(?:tmp|var\/folders)|var\/folders|dev\/shm|run\/user\/\d+)\//;
const DEVICE = /^\/dev\/(?!(?:null|zero|full|u?random|tty|std(?:in|out|err)|ptmx)$|(?:fd|shm|pts)\/)/;

function judgeReach(
  { file, mode, by }: PathReach,
  { analysis }: CommandAction,
  { root }: GuardFacts,
): Objection | undefined {
  const { real, given } = file;
  if (mode === 'write' && DEVICE.test(real))
    return deny(`This would write to the device ${real}.`, 'Write to a file in the project.');
  if (
    mode === 'write' &&
    RIGHTS.has(by) &&
    isAbove(real, root) &&
    real !== root &&
    recursive(analysis.invocations, by)
  )
    return deny(
      `This would change the rights of all that lies in ${real}.`,
      'Name the files in the project that need it.',
    );
  if (
    mode === 'read' &&
    by === 'find' &&
    isAbove(real, root) &&
    findDeletes(analysis.invocations, real === root)
  )
    return deny(`This would remove what lies in ${real === root ? 'the project' : real}.`, NAME_THEM);
  if (mode !== 'delete' || !REMOVING.has(by)) return undefined;
  if (isAbove(real, root))
    return deny(
      `This would remove ${real === root ? 'the project' : real} with all that is in it.`,
      NAME_THEM,
    );
  if (file.inProject !== undefined || TEMPORARY.test(real)) return undefined;
  return ask(`removes ${given.slice(0, 200)}, which lies outside the project`, NAME_THEM);
}

const NAME_THEM = 'Remove by name what you made yourself in the project; leave the rest to a person.';

/** The folder is the project's or lies above it; so may be what a pattern stands for. */
function isAbove(folder: string, root: string): boolean {
  if (folder === '/' || root === folder || root.startsWith(`${folder}/`)) return true;
  if (!/[*?[]/.test(folder)) return false;
  if (folder === `${root}/*`) return true;
  const wanted = folder.split('/');
  const found = root.split('/');
  return (
    wanted.length <= found.length &&
    wanted.every((part, index) => fitsGlob(found[index] ?? '', part.replace(/\[[^\]]*\]/g, '?')))
  );
}

function recursive(invocations: readonly Invocation[], program: string): boolean {
  return invocations.some((one) => one.program === program && hasFlag(one.argv, 'R', '--recursive'));
}

/** Below the project it is enough that names are asked for: what is protected among them has a guard of its own. */
function findDeletes(invocations: readonly Invocation[], inProject: boolean): boolean {
  return invocations.some(
    ({ program, argv }) =>
      program === 'find' && argv.includes('-delete') && !(inProject && asksForNames(argv)),
  );
}

/** One that is not to be found leaves all others. */
function asksForNames(argv: readonly string[]): boolean {
  return argv.some((word, index) => NAMED.test(word) && !/^(?:!|-not)$/.test(argv[index - 1] ?? ''));
}

const NAMED = /^-i?(?:name|path|wholename|regex)$/;

function deny(reason: string, guidance: string): Objection {
  return { decision: 'deny', reason, guidance };
}

function ask(what: string, guidance: string): Objection {
  return { decision: 'ask', reason: `This command ${what}.`, guidance };
}
