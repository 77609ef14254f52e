import type { CommandMakers } from '../command-group.ts';
import { abandon } from './abandon.ts';
import { pause } from './pause.ts';
import { resume } from './resume.ts';
import { start } from './start.ts';
import { status } from './status.ts';

export const SESSION_COMMANDS: CommandMakers = {
  start: () => start,
  status: () => status,
  pause: () => pause,
  resume: () => resume,
  abandon: () => abandon,
};
