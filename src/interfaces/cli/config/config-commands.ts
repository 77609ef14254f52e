import type { CommandMakers } from '../command-group.ts';
import { check } from './check.ts';
import { explain } from './explain.ts';

export const CONFIG_COMMANDS: CommandMakers = {
  check: () => check,
  explain: () => explain,
};
