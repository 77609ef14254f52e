import { defineCommand } from '../program/cli-command.ts';
import { runStatus } from './run-status.ts';

export const status = defineCommand({
  name: 'status',
  summary: 'say where the sessions of this project stand and what is next; exit 1 if none is open',
  run: runStatus,
});
