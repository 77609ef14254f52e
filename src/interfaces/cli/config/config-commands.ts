import type { CliCommand } from '../cli-command.ts';
import { check } from './check.ts';
import { explain } from './explain.ts';

export const CONFIG_COMMANDS: readonly CliCommand[] = [check, explain];
