import { explain } from './build/explain.ts';
import { featureBuild } from './build/feature-build.ts';
import { taskWork } from './build/task-work.ts';
import { turns } from './build/turns.ts';
import type { CliCommand } from './cli-command.ts';
import { CONFIG_COMMANDS } from './config/config-commands.ts';
import { doctor } from './doctor.ts';
import { FEATURE_COMMANDS } from './feature/feature-commands.ts';
import { GRAPHITI_COMMANDS } from './graphiti/graphiti-commands.ts';
import { GUARD_COMMANDS } from './guard/guard-commands.ts';
import { init } from './init.ts';
import { KNOWLEDGE_COMMANDS } from './knowledge/knowledge-commands.ts';
import { TASK_COMMANDS } from './task/task-commands.ts';
import { uninstall } from './uninstall.ts';
import { VERIFICATION_COMMANDS } from './verification/verification-commands.ts';

export interface CommandGroup {
  name: string;
  summary: string;
  commands: readonly CliCommand[];
}

/** Commands that stand on their own. */
export const TOP_COMMANDS: readonly CliCommand[] = [
  init,
  doctor,
  uninstall,
  featureBuild,
  taskWork,
  turns,
  explain,
  ...VERIFICATION_COMMANDS,
];

/** Commands that belong together under one word. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { name: 'task', summary: 'write, look at and reset tasks', commands: TASK_COMMANDS },
  {
    name: 'feature',
    summary: 'write, look at, change, check, merge and discard features',
    commands: FEATURE_COMMANDS,
  },
  {
    name: 'guard',
    summary: 'look at guards, try them out, and let them be passed',
    commands: GUARD_COMMANDS,
  },
  { name: 'config', summary: 'check and explain the rules of this project', commands: CONFIG_COMMANDS },
  {
    name: 'knowledge',
    summary: 'read, check and change the architecture graph in .maestro/knowledge.dot',
    commands: KNOWLEDGE_COMMANDS,
  },
  { name: 'graphiti', summary: 'look into and change what GuardKit remembers', commands: GRAPHITI_COMMANDS },
];
