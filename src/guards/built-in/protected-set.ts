import type { Action, CommandAction, EditAction, FileEffect, PathReach, ToolAction } from '../action.ts';
import type { Guard, GuardFacts, Objection } from '../guard.ts';
import type { RealPath } from '../real-path.ts';
import { leavesCommands } from './destructive-git.ts';
import { hiddenNaming } from './hidden-naming.ts';
import { askAboutDefinition, refuse, refuseBelow, shownPath } from './protected-words.ts';

/** Agents do not change these files, whatever they are told to do. Reading and running them is free. */
export const protectedSet: Guard = {
  id: 'protected-set',
  summary:
    'Agents do not change definitions, agent settings and hooks, shell start-up files, GuardKit’s data or git’s own files.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['edit', 'command', 'tool', 'settings'],
  expires: undefined,
  judge: (action, facts) => judge(action, facts),
};

function judge(action: Action, facts: GuardFacts): Objection | undefined {
  switch (action.kind) {
    case 'edit':
      return strictest(action.files, judgeEffect) ?? laterUse(action);
    case 'command':
      return (
        strictest(action.reaches, (reach) => judgeReach(reach, facts)) ??
        judgeNaming(action, facts) ??
        laterUse(action)
      );
    case 'tool':
      return judgeTool(action);
    case 'settings':
      return refuse('agent-settings', action.file?.inProject ?? action.file?.real ?? 'the agent’s settings');
    default:
      return undefined;
  }
}

/** New files that are without effect until a person accepts them. */
const PROPOSAL = /^(?:tasks\/(?:[^/]+\/)*TASK-[^/]+\.md|\.guardkit\/features\/[^/]+\.ya?ml)$/;

function judgeEffect({ file, effect }: FileEffect): Objection | undefined {
  const { protectedAs } = file;
  if (isNewMcpFile(file)) return undefined;
  if (protectedAs === 'definition') {
    const proposes = effect === 'write' && file.exists === false && PROPOSAL.test(file.inProject ?? '');
    return proposes ? undefined : askAboutDefinition(file);
  }
  if (protectedAs !== undefined && protectedAs !== 'feature-list')
    return refuse(protectedAs, shownPath(file));
  if (REBASE.test(file.real)) return leavesCommands('ask');
  return effect === 'delete' ? refuseBelow(file) : undefined;
}

/** The list of what a rebase under way still has to do. */
const REBASE = /\/\.git\/(?:worktrees\/[^/]+\/)?rebase-(?:merge|apply)\//;

/** The agent's program asks before it uses a new one. */
function isNewMcpFile({ inProject, exists }: RealPath): boolean {
  return inProject === '.mcp.json' && exists === false;
}

/** Programs that put something else in the place of a folder, or unpack files into it. */
const POURING: ReadonlySet<string> = new Set([
  'cp',
  'mv',
  'rsync',
  'ln',
  'tar',
  'unzip',
  'scp',
  'bsdtar',
  'cpio',
]);

function judgeReach(
  { file, mode, by, guess, shallow, search }: PathReach,
  { wrapped }: GuardFacts,
): Objection | undefined {
  if (mode !== 'write' && mode !== 'delete') return undefined;
  // In the wrapper a wrong guess costs nothing: the write fails.
  if (wrapped && guess !== undefined) return undefined;
  const { protectedAs } = file;
  // Most of what `git config` sets is harmless; the guard of destructive commands knows what is not.
  if (by === 'git' && /(?:^|\/)(?:config|config\.worktree|\.gitconfig)$/.test(file.real)) return undefined;
  // To edit all that is found in a project is usual; only what asks for protected files by name is refused.
  if (search !== undefined && mode === 'write' && search.extent !== 'named') return undefined;
  if (isNewMcpFile(file)) return undefined;
  if (by !== 'git' && mode === 'write' && REBASE.test(file.real)) return leavesCommands('ask');
  if (protectedAs !== undefined)
    return protectedAs === 'feature-list' ? undefined : refuse(protectedAs, shownPath(file));
  if (file.protectedBelow === undefined || shallow === true) return undefined;
  // The project's own folder is poured into all the time; the result is looked at afterwards.
  if (mode === 'delete' || (POURING.has(by) && file.inProject !== '' && file.inProject !== undefined))
    return refuseBelow(file);
  return undefined;
}

function judgeNaming(action: CommandAction, facts: GuardFacts): Objection | undefined {
  if (facts.wrapped) return undefined;
  const hidden = hiddenNaming(action, facts.dataFolder);
  if (!hidden) return undefined;
  return {
    decision: 'deny',
    reason: `This command names ${hidden.what}, which GuardKit protects, and may change it (${hidden.why}).`,
    guidance:
      'To read it, use your reading tool, or cat, grep or jq in a separate command. To change it, propose the change in your answer; the person applies it.',
  };
}

/** By the words that tools' names are made of everywhere. */
const READS =
  /^(?:read|get|list|search|find|query|view|show|stat|describe|fetch|grep|glob|ls|cat|info|tree|lookup|explain|status|diff)$/;
const WRITES =
  /^(?:write|edit|delete|remove|move|rename|update|create|patch|replace|set|put|append|insert|exec|execute|run|apply|save|copy)$/;

function onlyReads(name: string): boolean {
  const own = name.slice(name.lastIndexOf('__') + 1);
  const words = own.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  return words.some((word) => READS.test(word)) && !words.some((word) => WRITES.test(word));
}

function judgeTool({ name, mentions }: ToolAction): Objection | undefined {
  if (name.startsWith('mcp__guardkit__') || onlyReads(name)) return undefined;
  const file = mentions.find((one) => one.protectedAs !== undefined && !isNewMcpFile(one));
  return file?.protectedAs && refuse(file.protectedAs, shownPath(file));
}

/** The first refusal, or else the first question. */
function strictest<Item>(
  items: readonly Item[],
  judgeOne: (item: Item) => Objection | undefined,
): Objection | undefined {
  let asked: Objection | undefined;
  for (const item of items) {
    const found = judgeOne(item);
    if (found?.decision === 'deny') return found;
    asked ??= found;
  }
  return asked;
}

/** Ways to write a file by saying what goes into it. Package managers write the same files as a part of their work. */
const DIRECT: ReadonlySet<string> = new Set(
  '> >> >| &> &>> <> cp mv tee install ln sed awk perl ruby dd truncate rsync curl wget sponge patch rm unlink'.split(
    ' ',
  ),
);

/** Files in the home folder that other programs load or run later: a person should know that an agent writes them. */
function laterUse(action: EditAction | CommandAction): Objection | undefined {
  const files =
    action.kind === 'edit'
      ? action.files.map(({ file }) => file)
      : action.reaches
          .filter(
            ({ mode, by, guess }) =>
              (mode === 'write' || mode === 'delete') && guess === undefined && DIRECT.has(by),
          )
          .map(({ file }) => file);
  const file = files.find(({ inProject, laterUse: use }) => inProject === undefined && use !== undefined);
  return file && objection(file);
}

function objection(file: RealPath): Objection {
  return {
    decision: 'ask',
    unasked: 'warn',
    reason: `This writes ${shownPath(file)}: ${file.laterUse ?? 'other programs use it later'}.`,
    guidance:
      'Keep settings in the project where you can, and install programs with their package manager. Tell the person about this file in your answer.',
  };
}
