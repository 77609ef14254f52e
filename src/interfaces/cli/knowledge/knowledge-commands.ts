import type { CliCommand } from '../cli-command.ts';
import { show } from './show.ts';
import { update } from './update.ts';
import { validate } from './validate.ts';

export const KNOWLEDGE_COMMANDS: readonly CliCommand[] = [update, show, validate];
