import type { CommandMakers } from '../program/cli-command.ts';
import { abandon, pause, resume } from './session-control.ts';
import { start } from './start.ts';
import { status } from './status.ts';

export const SESSION_COMMANDS: CommandMakers = {
  start: () => start,
  status: () => status,
  pause,
  resume,
  abandon,
};
