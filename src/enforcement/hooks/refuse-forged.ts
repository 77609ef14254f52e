import { realpathSync } from 'node:fs';
import { GuardKitError } from '../../guardkit-error.ts';
import type { ProcessId } from '../../platform/processes/process-row.ts';
import { commandOf, isRunning, programOf, readProcess } from '../../platform/processes/process-table.ts';
import { readActions, watchTables } from '../actions/open-actions.ts';
import { findSession } from '../actions/sessions.ts';
import { coldLauncherPath, hookShellTexts, launcherPath } from '../install/hook-launcher.ts';
import type { HookSource } from './hook-event.ts';
import type { Enforcement } from './open-enforcement.ts';

export interface HookCaller {
  /** The process that started the hook. */
  starter: number;
  /** The agent's own process, from the hook's environment. */
  agentPid: number | undefined;
  /** The hook came through the broker, from inside an agent's wrapper. */
  insideAgent?: boolean;
}

const MAX_ANCESTORS = 64;

/**
 * Only the agent's own program may send events, not the commands that it runs: a forged end of an action would close that
 * action's window. An event from elsewhere is refused and recorded, and has no other effect.
 */
export function refuseForged(enforcement: Enforcement, source: HookSource, caller: HookCaller): void {
  const why = whyForged(enforcement, source, caller);
  if (why !== undefined) throw forgedEvent(enforcement, source, why);
}

/** Records the violation, and returns the error to throw. */
export function forgedEvent(
  { ledger, project }: Pick<Enforcement, 'ledger' | 'project'>,
  source: HookSource,
  why: string,
): GuardKitError {
  ledger.append(project, 'violation_recorded', {
    session: source.session,
    agent: source.agent,
    agent_type: source.actorType ?? null,
    guard: 'hook-forgery',
    what: `forged hook event: ${why}`,
    path: 'guardkit hook',
    before_hash: null,
    found_hash: null,
    quarantined: null,
    restored: true,
    action: null,
  });
  return new GuardKitError({
    code: 'hook.forged',
    kind: 'refused',
    message: `Hook event refused: ${why}. It had no effect and was recorded.`,
    hint: 'Only the agent’s program may run hooks, with the command that `guardkit init` writes into its settings.',
  });
}

function whyForged(
  { ledger, project }: Enforcement,
  { session }: HookSource,
  { starter, agentPid, insideAgent = false }: HookCaller,
): string | undefined {
  if (insideAgent) {
    const program = findSession({ ledger, project }, session)?.process;
    return program && isRunning(program)
      ? `it came from inside the wrapper, but the session’s program (process ${program.pid}) runs outside`
      : undefined;
  }
  if (agentPid !== undefined && agentPid !== starter)
    return `process ${starter} started the hook, but the agent is process ${agentPid}`;
  const known = findSession({ ledger, project }, session)?.process;
  if (!known || known.pid === starter || !isRunning(known)) return undefined;
  if (isBelow(starter, known.pid)) return `process ${starter}, started by the agent, ran the hook`;
  // A person may resume a session in another terminal, but a process born during its actions is the agent's.
  const row = readProcess(starter);
  const born = readActions(watchTables(ledger)).some(
    (one) =>
      one.session === session &&
      one.body.mark !== null &&
      row !== undefined &&
      row.started >= one.body.mark.now,
  );
  return born ? `process ${starter}, started during an action of the agent, ran the hook` : undefined;
}

function isBelow(pid: number, above: number): boolean {
  let one = readProcess(pid);
  for (let count = 0; one && count < MAX_ANCESTORS; count++) {
    if (one.parent === above) return true;
    one = readProcess(one.parent);
  }
  return false;
}

/** An ancestor process of a hook. */
export interface StartedBy {
  pid: number;
  parent: number;
  /** Path of its executable, which cannot be forged, unlike its arguments. */
  program: string;
  words: readonly string[];
}

/** One for the settings' command and one for the launcher; either may be missing. */
const MAX_SHELLS = 2;

/**
 * The process that started a hook: the first ancestor that is not a shell of the hook's own command. Undefined if the
 * system does not show it.
 */
export function findHookStarter(agent: string, dataFolder: string, first = process.ppid): number | undefined {
  const row = readProcess(first);
  if (row && row.started === lastStarter?.started && first === lastStarter.pid) return first;
  const isShell = isHookShell(agent, dataFolder, shellProgram(), PERSONS_SHELLS);
  const starter = hookStarter(first, isShell, (pid) => {
    const found = pid === first ? row : readProcess(pid);
    const words = commandOf(pid);
    return found && words && { pid, parent: found.parent, program: programOf(pid), words };
  });
  if (row && starter === first) lastStarter = { pid: first, started: row.started };
  return starter;
}

/**
 * An agent's program starts many hooks. Only a process that is not a shell is kept: one that becomes a hook's shell later
 * is then still taken for the starter, which excuses nothing.
 */
let lastStarter: ProcessId | undefined;

/** Pure except for `find`. */
export function hookStarter(
  first: number,
  isShell: (one: StartedBy) => boolean,
  find: (pid: number) => StartedBy | undefined,
): number | undefined {
  let pid = first;
  let shells = 0;
  for (let before: StartedBy | undefined; ; ) {
    const one = find(pid);
    if (!one) return undefined;
    if (!before || !isFork(before, one)) shells += 1;
    if (shells > MAX_SHELLS || !isShell(one)) return pid;
    pid = one.parent;
    before = one;
  }
}

/** The launcher reads its program's answer in a copy of itself. */
function isFork(child: StartedBy, parent: StartedBy): boolean {
  return child.words[1] !== '-c' && child.words.join('\0') === parent.words.join('\0');
}

/** Whether a process is a shell that runs only a hook's command, by its arguments. */
export function isHookShell(
  agent: string,
  dataFolder: string,
  shell: string,
  persons: ReadonlySet<string> = new Set(),
): (one: Pick<StartedBy, 'program' | 'words'>) => boolean {
  const texts = [...hookShellTexts(dataFolder, agent), `guardkit hook ${agent}`];
  const launchers = [launcherPath(dataFolder), coldLauncherPath(dataFolder)];
  return ({ program, words }) => {
    const [first = '', second = '', ...more] = words.slice(1 + countQuiet(words));
    if (first === '-c')
      return (program === shell || persons.has(program)) && more.length === 0 && texts.includes(second);
    if (program !== shell) return false;
    return launchers.includes(first) && second === agent;
  };
}

/** Options that keep a shell from reading files; Copilot CLI starts hooks with them. */
const QUIET: readonly string[] = ['--norc', '--noprofile'];

function countQuiet(words: readonly string[]): number {
  const end = words.findIndex((word, index) => index > 0 && !QUIET.includes(word));
  return end < 0 ? words.length - 1 : end - 1;
}

/** Some agents run hooks in the person's own shell. Only where an agent cannot put another program. */
const PERSONS_SHELLS: ReadonlySet<string> = new Set(
  ['/bin', '/usr/bin', '/usr/local/bin'].flatMap((folder) =>
    ['bash', 'dash', 'zsh', 'ksh', 'fish'].map((name) => `${folder}/${name}`),
  ),
);

function shellProgram(): string {
  try {
    return realpathSync.native('/bin/sh');
  } catch {
    // Safe: without /bin/sh, no process counts as a shell.
    return '';
  }
}
