import type { CliCommand } from '../cli-command.ts';
import { complete } from './complete.ts';
import { create } from './create.ts';
import { discard } from './discard.ts';
import { list } from './list.ts';
import { show } from './show.ts';
import { validate } from './validate.ts';

export const FEATURE_COMMANDS: readonly CliCommand[] = [create, list, show, validate, complete, discard];
