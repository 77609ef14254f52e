import type { CommandMakers } from '../program/cli-command.ts';
import { add } from './add.ts';
import { clear } from './clear.ts';
import { embed } from './embed.ts';
import { exportCommand } from './export.ts';
import { history } from './history.ts';
import { importCommand } from './import.ts';
import { list } from './list.ts';
import { prune } from './prune.ts';
import { search } from './search.ts';
import { seed } from './seed.ts';
import { show } from './show.ts';
import { status } from './status.ts';

export const MEMORY_COMMANDS: CommandMakers = {
  seed: () => seed,
  search: () => search,
  status: () => status,
  show: () => show,
  list: () => list,
  history: () => history,
  add: () => add,
  export: () => exportCommand,
  import: () => importCommand,
  clear: () => clear,
  prune: () => prune,
  embed: () => embed,
};
