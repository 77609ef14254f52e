import { attest } from '../attestation/attest.ts';
import { explain } from '../build/explain.ts';
import { featureBuild } from '../build/feature-build.ts';
import { taskWork } from '../build/task-work.ts';
import { turns } from '../build/turns.ts';
import { ci } from '../ci/ci.ts';
import { check as configCheck } from '../config/check.ts';
import { explain as configExplain } from '../config/explain.ts';
import { FEATURE_COMMANDS } from '../feature/feature-commands.ts';
import { GUARD_COMMANDS } from '../guard/guard-commands.ts';
import { init } from '../init/init.ts';
import { uninstall } from '../init/uninstall.ts';
import { KNOWLEDGE_COMMANDS } from '../knowledge/knowledge-commands.ts';
import { adopt as ledgerAdopt } from '../ledger/adopt.ts';
import { verify as ledgerVerify } from '../ledger/verify.ts';
import { mcp } from '../mcp.ts';
import { MEMORY_COMMANDS } from '../memory/memory-commands.ts';
import { doctor } from '../protection/doctor.ts';
import { pause } from '../protection/pause.ts';
import { restore } from '../protection/restore.ts';
import { resume } from '../protection/resume.ts';
import { serve } from '../protection/serve.ts';
import { QUEUE_COMMANDS } from '../queue/queue-commands.ts';
import { worker } from '../queue/worker.ts';
import { run } from '../run/run.ts';
import { SESSION_COMMANDS } from '../session/session-commands.ts';
import { log } from '../status/log.ts';
import { metrics } from '../status/metrics.ts';
import { status } from '../status/status.ts';
import { TASK_COMMANDS } from '../task/task-commands.ts';
import { TRACE_COMMANDS } from '../trace/trace-commands.ts';
import { ui } from '../ui.ts';
import { accept } from '../verification/accept.ts';
import { evidence } from '../verification/evidence.ts';
import { verify } from '../verification/verify.ts';
import { type CliCommand, type CommandGroup, commandGroup } from './cli-command.ts';

/** Top-level commands. */
export const TOP_COMMANDS = commandGroup('', 'every command', {
  init: () => init,
  doctor: () => doctor,
  status: () => status,
  log: () => log,
  run: () => run,
  worker: () => worker,
  'feature-build': () => featureBuild,
  'task-work': () => taskWork,
  turns: () => turns,
  explain: () => explain,
  ui: () => ui,
  metrics: () => metrics,
  restore: () => restore,
  pause: () => pause,
  resume: () => resume,
  mcp: () => mcp,
  serve: () => serve,
  uninstall: () => uninstall,
  verify: () => verify,
  ci: () => ci,
  attest: () => attest,
  evidence: () => evidence,
  accept: () => accept,
});

/** Groups of commands. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  commandGroup('task', 'Create, show and reset tasks', TASK_COMMANDS),
  commandGroup('feature', 'Create, show, change, merge and discard features', FEATURE_COMMANDS),
  commandGroup('session', 'Show and control sessions that work through features', SESSION_COMMANDS),
  commandGroup('queue', 'Queue features for workers on several machines', QUEUE_COMMANDS),
  commandGroup('guard', 'Show, test, waive and promote guards', GUARD_COMMANDS),
  commandGroup('trace', 'Show and record violations, corrections and decisions', TRACE_COMMANDS),
  commandGroup('config', 'Check and explain this project’s rules', {
    check: () => configCheck,
    explain: () => configExplain,
  }),
  commandGroup('ledger', 'Check the ledger and sign its records', {
    verify: () => ledgerVerify,
    adopt: () => ledgerAdopt,
  }),
  commandGroup('knowledge', 'Read, check and change the architecture graph', KNOWLEDGE_COMMANDS),
  commandGroup('memory', 'Search and change GuardKit’s memory', MEMORY_COMMANDS, 'graphiti'),
];

/** The group and command that a command line names. */
interface NamedCommand {
  group?: CommandGroup | undefined;
  command?: CliCommand | undefined;
}

export function namedCommand([first = '', second = '']: readonly string[]): NamedCommand {
  const group = findGroup(first);
  return group ? { group, command: group.find(second) } : { command: TOP_COMMANDS.find(first) };
}

/** By its name or its alias. */
export function findGroup(word: string): CommandGroup | undefined {
  return COMMAND_GROUPS.find(({ name, alias }) => name === word || alias === word);
}

/**
 * Turns `help guard allow` and `guard help allow` into `guard allow --help`. An unknown command is kept without `help`, so that
 * the error names it.
 */
export function askedHelp(args: readonly string[]): readonly string[] {
  const [first = '', second] = args;
  const { group } = namedCommand(args);
  if (first !== 'help' && !(group && second === 'help')) return args;
  const words = args.filter((word, index) => index !== (group ? 1 : 0) && !word.startsWith('-'));
  if (words.length === 0) return args;
  const named = namedCommand(words);
  if (named.command) return [...words.slice(0, named.group ? 2 : 1), '--help'];
  return named.group && words.length === 1 ? [...words, '--help'] : words;
}
