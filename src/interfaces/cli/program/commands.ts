import { explain } from '../build/explain.ts';
import { featureBuild } from '../build/feature-build.ts';
import { taskWork } from '../build/task-work.ts';
import { turns } from '../build/turns.ts';
import { CONFIG_COMMANDS } from '../config/config-commands.ts';
import { FEATURE_COMMANDS } from '../feature/feature-commands.ts';
import { GRAPHITI_COMMANDS } from '../graphiti/graphiti-commands.ts';
import { GUARD_COMMANDS } from '../guard/guard-commands.ts';
import { init } from '../init/init.ts';
import { uninstall } from '../init/uninstall.ts';
import { KNOWLEDGE_COMMANDS } from '../knowledge/knowledge-commands.ts';
import { mcp } from '../mcp.ts';
import { doctor } from '../protection/doctor.ts';
import { pause } from '../protection/pause.ts';
import { restore } from '../protection/restore.ts';
import { resume } from '../protection/resume.ts';
import { run } from '../run/run.ts';
import { SESSION_COMMANDS } from '../session/session-commands.ts';
import { log } from '../status/log.ts';
import { metrics } from '../status/metrics.ts';
import { status } from '../status/status.ts';
import { TASK_COMMANDS } from '../task/task-commands.ts';
import { TRACE_COMMANDS } from '../trace/trace-commands.ts';
import { VERIFICATION_COMMANDS } from '../verification/verification-commands.ts';
import { type CommandGroup, commandGroup } from './command-group.ts';

/** Commands that stand on their own. */
export const TOP_COMMANDS = commandGroup('', 'every command', {
  init: () => init,
  doctor: () => doctor,
  status: () => status,
  log: () => log,
  run: () => run,
  'feature-build': () => featureBuild,
  'task-work': () => taskWork,
  turns: () => turns,
  explain: () => explain,
  metrics: () => metrics,
  restore: () => restore,
  pause: () => pause,
  resume: () => resume,
  mcp: () => mcp,
  uninstall: () => uninstall,
  ...VERIFICATION_COMMANDS,
});

/** Commands that belong together under one word. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  commandGroup('task', 'write, look at and reset tasks', TASK_COMMANDS),
  commandGroup('feature', 'write, look at, change, check, merge and discard features', FEATURE_COMMANDS),
  commandGroup('session', 'look at and steer what works through the features', SESSION_COMMANDS),
  commandGroup('guard', 'look at guards, try them out, and let them be passed', GUARD_COMMANDS),
  commandGroup('trace', 'what was refused, corrected, decided and approved', TRACE_COMMANDS),
  commandGroup('config', 'check and explain the rules of this project', CONFIG_COMMANDS),
  commandGroup(
    'knowledge',
    'read, check and change the architecture graph in .maestro/knowledge.dot',
    KNOWLEDGE_COMMANDS,
  ),
  commandGroup('memory', 'search and change what GuardKit remembers', GRAPHITI_COMMANDS, 'graphiti'),
];
