import type { Protection } from '../../domain/protection/protected-paths.ts';
import type { Objection } from '../guard.ts';
import type { RealPath } from '../real-path.ts';

const PROPOSE = 'Propose the change in your answer; the person applies it';

const WORDS: Record<Protection, readonly [why: string, guidance: string]> = {
  'feature-list': [
    'GuardKit maintains the feature list.',
    'Change status or notes with your edit tool; `guardkit verify FEATURE` sets `tested`.',
  ],
  'session-state': ['only GuardKit writes the session state.', 'Read it and leave it unchanged.'],
  definition: [
    'it defines how work is judged.',
    `${PROPOSE}. Create new tasks with your edit tool or \`guardkit task create\`.`,
  ],
  'agent-settings': ['it controls what coding agents run.', `${PROPOSE}.`],
  data: ['only GuardKit writes its own data.', 'Use GuardKit’s commands: `guardkit help --all` lists them.'],
  'git-internals': [
    'git runs it, or reads its settings and refs from it.',
    `Use git’s commands for commits and branches. For anything else: ${lower(PROPOSE)}.`,
  ],
  'shell-startup': ['it runs whenever a shell starts.', `${PROPOSE}.`],
};

function lower(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** Refuses a change to a protected path. */
export function refuse(protection: Protection, what: string): Objection {
  const [why, guidance] = WORDS[protection];
  return { decision: 'deny', reason: `GuardKit protects ${what}: ${why}`, guidance };
}

const PROPOSE_SERVERS = 'Propose the servers in your answer; the person adds them to the file.';

/** Refuses a new list of MCP servers. */
export function refuseServers(what: string, why: string): Objection {
  return { decision: 'deny', reason: `GuardKit protects ${what}: ${why}`, guidance: PROPOSE_SERVERS };
}

/** Lets the person decide about a new list of MCP servers. */
export function askAboutServers(what: string): Objection {
  return {
    decision: 'ask',
    reason: `This creates ${what}. Agents start the servers in it, without asking if nobody is at the terminal.`,
    guidance: PROPOSE_SERVERS,
  };
}

/** Refuses to remove or replace a folder that contains protected files. */
export function refuseBelow(file: RealPath): Objection | undefined {
  if (file.protectedBelow === undefined) return undefined;
  return {
    decision: 'deny',
    reason: `${shownPath(file)} contains files that GuardKit protects, and they would be removed or replaced too.`,
    guidance: 'Change or remove only the files you mean, by name.',
  };
}

/** Lets the person decide about a change to a definition. */
export function askAboutDefinition(file: RealPath): Objection {
  return {
    decision: 'ask',
    reason: `This changes ${shownPath(file)}, which defines how work is judged. It has no effect until a person accepts it.`,
    guidance: 'Propose it in your answer; the person applies it, or runs `guardkit accept`.',
  };
}

/** The path as the agent knows it. */
export function shownPath({ given, inProject }: RealPath): string {
  return inProject === undefined || inProject === '' ? given.slice(0, 200) : inProject.slice(0, 200);
}
