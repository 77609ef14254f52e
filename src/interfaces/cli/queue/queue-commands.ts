import type { CommandMakers } from '../program/cli-command.ts';
import { add } from './add.ts';
import { cancel } from './cancel.ts';
import { init } from './init.ts';
import { list } from './list.ts';
import { workers } from './workers.ts';

export const QUEUE_COMMANDS: CommandMakers = {
  init: () => init,
  add: () => add,
  list: () => list,
  cancel: () => cancel,
  workers: () => workers,
};
