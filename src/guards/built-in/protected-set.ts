import type { Action, CommandAction, EditAction, FileEffect, PathReach, ToolAction } from '../action.ts';
import type { Guard, GuardFacts, Objection } from '../guard.ts';
import type { RealPath } from '../real-path.ts';
import { leavesCommands } from './destructive-git.ts';
import {
  askAboutDefinition,
  askAboutServers,
  refuse,
  refuseBelow,
  refuseServers,
  shownPath,
} from './protection-objections.ts';
import { uncertainMention } from './unclear-protected-path.ts';

/** Agents never change these files. Reading and running them is allowed. */
export const protectedSet: Guard = {
  id: 'protected-set',
  summary:
    'Agents do not change definitions, agent settings and hooks, shell start-up files, GuardKit’s data or git’s internal files.',
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
      return strictest(action.files, (effect) => judgeEffect(effect, facts)) ?? laterUse(action);
    case 'command':
      return (
        strictest(action.reaches, (reach) => judgeReach(reach, facts)) ??
        judgeMention(action, facts) ??
        laterUse(action)
      );
    case 'tool':
      return judgeTool(action, facts);
    case 'settings':
      return refuse('agent-settings', action.file?.inProject ?? action.file?.real ?? 'the agent’s settings');
    default:
      return undefined;
  }
}

/** New files that have no effect until a person accepts them. */
const PROPOSAL = /^(?:tasks\/(?:[^/]+\/)*TASK-[^/]+\.md|\.guardkit\/features\/[^/]+\.ya?ml)$/;

function judgeEffect({ file, effect }: FileEffect, facts: GuardFacts): Objection | undefined {
  const { protectedAs } = file;
  if (isNewMcpFile(file)) return judgeNewServers(file, facts);
  if (protectedAs === 'definition') {
    const proposes = effect === 'write' && file.exists === false && PROPOSAL.test(file.inProject ?? '');
    return proposes ? undefined : askAboutDefinition(file);
  }
  if (protectedAs !== undefined && protectedAs !== 'feature-list')
    return refuse(protectedAs, shownPath(file));
  if (REBASE.test(file.real)) return leavesCommands('ask');
  return effect === 'delete' ? refuseBelow(file) : undefined;
}

/** Git's state of a rebase in progress, with its remaining commands. */
const REBASE = /\/\.git\/(?:worktrees\/[^/]+\/)?rebase-(?:merge|apply)\//;

function isNewMcpFile({ inProject, exists }: RealPath): boolean {
  return inProject === '.mcp.json' && exists === false;
}

/** The person decides, unless an agent would start the servers in it without asking. */
function judgeNewServers(file: RealPath, { unaskedServers = () => NOBODY_ASKED }: GuardFacts): Objection {
  const why = unaskedServers();
  return why === undefined ? askAboutServers(shownPath(file)) : refuseServers(shownPath(file), why);
}

const NOBODY_ASKED = 'its servers would start without asking the person.';

/** Programs that replace a folder or unpack files into it. */
const COPYING: ReadonlySet<string> = new Set([
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
  facts: GuardFacts,
): Objection | undefined {
  const { wrapped } = facts;
  if (mode !== 'write' && mode !== 'delete') return undefined;
  // The shell wrapper blocks the write if the guess is right.
  if (wrapped && guess !== undefined) return undefined;
  const { protectedAs } = file;
  // Most git settings are harmless; the guard `destructive-commands` judges the others.
  if (by === 'git' && /(?:^|\/)(?:config|config\.worktree|\.gitconfig)$/.test(file.real)) return undefined;
  // Editing all files of a search is common; refuse it only if the search names protected files.
  if (search !== undefined && mode === 'write' && search.extent !== 'named') return undefined;
  if (isNewMcpFile(file)) return judgeNewServers(file, facts);
  if (by !== 'git' && mode === 'write' && REBASE.test(file.real)) return leavesCommands('ask');
  if (protectedAs !== undefined)
    return protectedAs === 'feature-list' ? undefined : refuse(protectedAs, shownPath(file));
  if (file.protectedBelow === undefined || shallow === true) return undefined;
  // Copying into the project folder is common; GuardKit checks the result afterwards.
  if (mode === 'delete' || (COPYING.has(by) && file.inProject !== '' && file.inProject !== undefined))
    return refuseBelow(file);
  return undefined;
}

function judgeMention(action: CommandAction, facts: GuardFacts): Objection | undefined {
  if (facts.wrapped) return undefined;
  const mention = uncertainMention(action, facts.dataFolder);
  if (!mention) return undefined;
  return {
    decision: 'deny',
    reason: `This command may change ${mention.what}, which GuardKit protects (${mention.why}).`,
    guidance:
      'To read it, use your reading tool, or cat, grep or jq in a separate command. To change it, propose the change in your answer; the person applies it.',
  };
}

/** Words in tool names that indicate reading or writing. */
const READS =
  /^(?:read|get|list|search|find|query|view|show|stat|describe|fetch|grep|glob|ls|cat|info|tree|lookup|explain|status|diff)$/;
const WRITES =
  /^(?:write|edit|delete|remove|move|rename|update|create|patch|replace|set|put|append|insert|exec|execute|run|apply|save|copy)$/;

function onlyReads(name: string): boolean {
  const own = name.slice(name.lastIndexOf('__') + 1);
  const words = own.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  return words.some((word) => READS.test(word)) && !words.some((word) => WRITES.test(word));
}

function judgeTool({ name, mentions }: ToolAction, facts: GuardFacts): Objection | undefined {
  if (name.startsWith('mcp__guardkit__') || onlyReads(name)) return undefined;
  return strictest(mentions, (file) => {
    if (isNewMcpFile(file)) return judgeNewServers(file, facts);
    return file.protectedAs && refuse(file.protectedAs, shownPath(file));
  });
}

/** The first refusal, otherwise the first `ask`. */
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

/** Direct ways to write a file. Not package managers, which write the same files as part of their work. */
const DIRECT: ReadonlySet<string> = new Set(
  '> >> >| &> &>> <> cp mv tee install ln sed awk perl ruby dd truncate rsync curl wget sponge patch rm unlink'.split(
    ' ',
  ),
);

/** Asks about files in the home folder that other programs load or run later, so that the person knows about them. */
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
    reason: `This writes ${shownPath(file)}: ${file.laterUse ?? 'other programs use it'}.`,
    guidance:
      'Keep settings in the project if possible, and install programs with their package manager. Mention this file in your answer.',
  };
}
