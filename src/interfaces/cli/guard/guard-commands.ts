import type { CliCommand } from '../cli-command.ts';
import { allow } from './allow.ts';
import { list } from './list.ts';
import { revoke } from './revoke.ts';
import { show } from './show.ts';
import { test } from './test.ts';
import { waivers } from './waivers.ts';

export const GUARD_COMMANDS: readonly CliCommand[] = [list, show, test, allow, waivers, revoke];
