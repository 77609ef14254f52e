import { attest } from '../attestation/attest.ts';
import { ci } from '../ci/ci.ts';
import { check as configCheck } from '../config/check.ts';
import { explain as configExplain } from '../config/explain.ts';
import { add as featureAdd } from '../feature/add.ts';
import { complete as featureComplete } from '../feature/complete.ts';
import { create as featureCreate } from '../feature/create.ts';
import { discard as featureDiscard } from '../feature/discard.ts';
import { edit as featureEdit } from '../feature/edit.ts';
import { importFeatures as featureImport } from '../feature/import.ts';
import { list as featureList } from '../feature/list.ts';
import { next as featureNext } from '../feature/next.ts';
import { show as featureShow } from '../feature/show.ts';
import { unblock as featureUnblock } from '../feature/unblock.ts';
import { validate as featureValidate } from '../feature/validate.ts';
import { explain } from '../feature-build/explain.ts';
import { featureBuild } from '../feature-build/feature-build.ts';
import { taskWork } from '../feature-build/task-work.ts';
import { turns } from '../feature-build/turns.ts';
import { allow as guardAllow } from '../guard/allow.ts';
import { backtest as guardBacktest } from '../guard/backtest.ts';
import { list as guardList } from '../guard/list.ts';
import { promote as guardPromote } from '../guard/promote.ts';
import { propose as guardPropose } from '../guard/propose.ts';
import { retire as guardRetire } from '../guard/retire.ts';
import { revoke as guardRevoke } from '../guard/revoke.ts';
import { share as guardShare } from '../guard/share.ts';
import { show as guardShow } from '../guard/show.ts';
import { test as guardTest } from '../guard/test.ts';
import { waivers as guardWaivers } from '../guard/waivers.ts';
import { init } from '../init/init.ts';
import { uninstall } from '../init/uninstall.ts';
import { fix as knowledgeFix } from '../knowledge/fix.ts';
import { merge as knowledgeMerge } from '../knowledge/merge.ts';
import { pack as knowledgePack } from '../knowledge/pack.ts';
import { path as knowledgePath } from '../knowledge/path.ts';
import { query as knowledgeQuery } from '../knowledge/query.ts';
import { render as knowledgeRender } from '../knowledge/render.ts';
import { show as knowledgeShow } from '../knowledge/show.ts';
import { update as knowledgeUpdate } from '../knowledge/update.ts';
import { validate as knowledgeValidate } from '../knowledge/validate.ts';
import { adopt as ledgerAdopt } from '../ledger/adopt.ts';
import { verify as ledgerVerify } from '../ledger/verify.ts';
import { mcp } from '../mcp.ts';
import { add as memoryAdd } from '../memory/add.ts';
import { clear as memoryClear } from '../memory/clear.ts';
import { embed as memoryEmbed } from '../memory/embed.ts';
import { exportCommand as memoryExport } from '../memory/export.ts';
import { history as memoryHistory } from '../memory/history.ts';
import { importCommand as memoryImport } from '../memory/import.ts';
import { list as memoryList } from '../memory/list.ts';
import { prune as memoryPrune } from '../memory/prune.ts';
import { search as memorySearch } from '../memory/search.ts';
import { seed as memorySeed } from '../memory/seed.ts';
import { show as memoryShow } from '../memory/show.ts';
import { status as memoryStatus } from '../memory/status.ts';
import { doctor } from '../protection/doctor.ts';
import { pause } from '../protection/pause.ts';
import { restore } from '../protection/restore.ts';
import { resume } from '../protection/resume.ts';
import { serve } from '../protection/serve.ts';
import { add as queueAdd } from '../queue/add.ts';
import { cancel as queueCancel } from '../queue/cancel.ts';
import { init as queueInit } from '../queue/init.ts';
import { list as queueList } from '../queue/list.ts';
import { worker } from '../queue/worker.ts';
import { workers as queueWorkers } from '../queue/workers.ts';
import { run } from '../run/run.ts';
import {
  abandon as sessionAbandon,
  pause as sessionPause,
  resume as sessionResume,
} from '../session/session-control.ts';
import { start as sessionStart } from '../session/start.ts';
import { status as sessionStatus } from '../session/status.ts';
import { log } from '../status/log.ts';
import { metrics } from '../status/metrics.ts';
import { status } from '../status/status.ts';
import { create as taskCreate } from '../task/create.ts';
import { list as taskList } from '../task/list.ts';
import { reset as taskReset } from '../task/reset.ts';
import { show as taskShow } from '../task/show.ts';
import { add as traceAdd } from '../trace/add.ts';
import { list as traceList } from '../trace/list.ts';
import { query as traceQuery } from '../trace/query.ts';
import { show as traceShow } from '../trace/show.ts';
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
  commandGroup('task', 'Create, show and reset tasks', {
    create: () => taskCreate,
    list: () => taskList,
    show: () => taskShow,
    reset: () => taskReset,
  }),
  commandGroup('feature', 'Create, show, change, merge and discard features', {
    create: () => featureCreate,
    add: () => featureAdd,
    import: () => featureImport,
    edit: () => featureEdit,
    list: () => featureList,
    show: () => featureShow,
    next: () => featureNext,
    validate: () => featureValidate,
    unblock: () => featureUnblock,
    complete: () => featureComplete,
    discard: () => featureDiscard,
  }),
  commandGroup('session', 'Show and control sessions that work through features', {
    start: () => sessionStart,
    status: () => sessionStatus,
    pause: sessionPause,
    resume: sessionResume,
    abandon: sessionAbandon,
  }),
  commandGroup('queue', 'Queue features for workers on several machines', {
    init: () => queueInit,
    add: () => queueAdd,
    list: () => queueList,
    cancel: () => queueCancel,
    workers: () => queueWorkers,
  }),
  commandGroup('guard', 'Show, test, waive and promote guards', {
    list: () => guardList,
    show: () => guardShow,
    test: () => guardTest,
    allow: () => guardAllow,
    waivers: () => guardWaivers,
    revoke: () => guardRevoke,
    propose: () => guardPropose,
    backtest: () => guardBacktest,
    promote: () => guardPromote,
    retire: () => guardRetire,
    share: () => guardShare,
  }),
  commandGroup('trace', 'Show and record violations, corrections and decisions', {
    add: () => traceAdd,
    list: () => traceList,
    show: () => traceShow,
    query: () => traceQuery,
  }),
  commandGroup('config', 'Check and explain this project’s rules', {
    check: () => configCheck,
    explain: () => configExplain,
  }),
  commandGroup('ledger', 'Check the ledger and sign its records', {
    verify: () => ledgerVerify,
    adopt: () => ledgerAdopt,
  }),
  commandGroup('knowledge', 'Read, check and change the architecture graph', {
    update: () => knowledgeUpdate,
    show: () => knowledgeShow,
    query: () => knowledgeQuery,
    path: () => knowledgePath,
    pack: () => knowledgePack,
    render: () => knowledgeRender,
    validate: () => knowledgeValidate,
    fix: () => knowledgeFix,
    merge: () => knowledgeMerge,
  }),
  commandGroup(
    'memory',
    'Search and change GuardKit’s memory',
    {
      seed: () => memorySeed,
      search: () => memorySearch,
      status: () => memoryStatus,
      show: () => memoryShow,
      list: () => memoryList,
      history: () => memoryHistory,
      add: () => memoryAdd,
      export: () => memoryExport,
      import: () => memoryImport,
      clear: () => memoryClear,
      prune: () => memoryPrune,
      embed: () => memoryEmbed,
    },
    'graphiti',
  ),
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
