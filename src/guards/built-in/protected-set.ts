import type { Protection } from '../../domain/protected-paths.ts';
import type { Action, CommandAction, FileEffect, PathReach, ToolAction } from '../action.ts';
import type { Guard, Objection } from '../guard.ts';
import type { GuardFacts } from '../guard-facts.ts';
import type { RealPath } from '../real-path.ts';
import { hiddenNaming } from './hidden-naming.ts';

/** What an agent may not change, whatever it is told to do. Reading is free. */
export const protectedSet: Guard = {
  id: 'protected-set',
  summary:
    'Definitions, settings and hooks of agents, GuardKit’s data and what git runs are not changed by agents.',
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
      return firstOf(action.files, judgeEffect);
    case 'command':
      return firstOf(action.reaches, judgeReach) ?? judgeNaming(action, facts);
    case 'tool':
      return judgeTool(action);
    case 'settings':
      return refuse('agent-settings', action.file?.inProject ?? action.file?.real ?? 'The agent’s settings');
    default:
      return undefined;
  }
}

function judgeEffect({ file, effect }: FileEffect): Objection | undefined {
  if (file.protectedAs !== undefined && file.protectedAs !== 'feature-list')
    return refuse(file.protectedAs, shown(file));
  if (effect === 'delete' && file.protectedBelow !== undefined) return refuseBelow(file);
  return undefined;
}

/** What puts something else in the place of a folder, or pours files into it. */
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

function judgeReach({ file, mode, by }: PathReach): Objection | undefined {
  if (mode !== 'write' && mode !== 'delete') return undefined;
  const { protectedAs } = file;
  // Most of what `git config` sets is harmless; the guard of destructive commands knows what is not.
  if (by === 'git' && /(?:^|\/)(?:config|config\.worktree|\.gitconfig)$/.test(file.real)) return undefined;
  if (protectedAs !== undefined)
    return protectedAs === 'feature-list' ? undefined : refuse(protectedAs, shown(file));
  if (file.protectedBelow === undefined) return undefined;
  // The project's own folder is poured into all the time; what comes of it is looked at afterwards.
  if (mode === 'delete' || (POURING.has(by) && file.inProject !== '' && file.inProject !== undefined))
    return refuseBelow(file);
  return undefined;
}

function judgeNaming(action: CommandAction, facts: GuardFacts): Objection | undefined {
  const hidden = hiddenNaming(action, facts.dataFolder);
  if (!hidden) return undefined;
  return {
    decision: 'deny',
    reason: `This command names ${hidden.what}, which is protected, and what it does with it cannot be told (${hidden.why}).`,
    guidance:
      'To read it, use your reading tool, cat, grep or jq in a command of its own. To change it, say in your answer what should change; a person does it.',
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
  const file = mentions.find(({ protectedAs }) => protectedAs !== undefined);
  return file?.protectedAs && refuse(file.protectedAs, shown(file));
}

function refuseBelow(file: RealPath): Objection | undefined {
  return file.protectedBelow && refuse(file.protectedBelow, `What lies below ${shown(file)}`);
}

function refuse(protection: Protection, what: string): Objection {
  const [why, guidance] = WORDS[protection];
  return { decision: 'deny', reason: `${what} ${why}`, guidance };
}

const SAY = 'Say in your answer what should change and why';

const WORDS: Record<Protection, readonly [why: string, guidance: string]> = {
  'feature-list': [
    'is or holds the list of features, which is kept by GuardKit.',
    'Change status or notes with your editing tool; `guardkit verify FEATURE` sets `tested`.',
  ],
  'session-state': [
    'is or holds the state of the session, which only GuardKit writes.',
    'Read it, and leave it as it is: GuardKit writes it by itself.',
  ],
  definition: [
    'defines how work is judged, and agents do not change that.',
    `${SAY}; a person changes it. New tasks and features are made with \`guardkit task create\` and \`guardkit feature create\`.`,
  ],
  'agent-settings': [
    'belongs to the settings and hooks of coding agents, and agents do not change their own rules.',
    `${SAY}; a person changes it.`,
  ],
  data: [
    'belongs to GuardKit’s own data, which only GuardKit writes.',
    'Ask it with its commands: `guardkit help --all` lists them.',
  ],
  'git-internals': [
    'is git’s own: it tells git what to run or what its names stand for, and agents do not write it.',
    `Use git’s commands for commits and branches; what else should change, say in your answer, and a person does it.`,
  ],
};

/** As the agent will recognise it. */
function shown({ given, inProject }: RealPath): string {
  return inProject === undefined || inProject === '' ? given.slice(0, 200) : inProject.slice(0, 200);
}

function firstOf<Item>(
  items: readonly Item[],
  judgeOne: (item: Item) => Objection | undefined,
): Objection | undefined {
  for (const item of items) {
    const found = judgeOne(item);
    if (found) return found;
  }
  return undefined;
}
