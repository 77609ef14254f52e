import type { CommandMakers } from '../program/command-group.ts';
import { check } from './check.ts';
import { explain } from './explain.ts';

export const CONFIG_COMMANDS: CommandMakers = {
  check: () => check,
  explain: () => explain,
};
