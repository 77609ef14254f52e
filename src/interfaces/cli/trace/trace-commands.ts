import type { CommandMakers } from '../program/cli-command.ts';
import { add } from './add.ts';
import { list } from './list.ts';
import { query } from './query.ts';
import { show } from './show.ts';

export const TRACE_COMMANDS: CommandMakers = {
  add: () => add,
  list: () => list,
  show: () => show,
  query: () => query,
};
