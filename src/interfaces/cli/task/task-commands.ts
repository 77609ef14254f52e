import type { CliCommand } from '../cli-command.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { reset } from './reset.ts';
import { show } from './show.ts';

export const TASK_COMMANDS: readonly CliCommand[] = [create, list, show, reset];
