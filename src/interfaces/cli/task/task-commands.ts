import type { CommandMakers } from '../program/cli-command.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { reset } from './reset.ts';
import { show } from './show.ts';

export const TASK_COMMANDS: CommandMakers = {
  create: () => create,
  list: () => list,
  show: () => show,
  reset: () => reset,
};
