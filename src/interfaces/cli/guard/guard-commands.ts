import type { CommandMakers } from '../program/cli-command.ts';
import { allow } from './allow.ts';
import { backtest } from './backtest.ts';
import { list } from './list.ts';
import { promote } from './promote.ts';
import { propose } from './propose.ts';
import { retire } from './retire.ts';
import { revoke } from './revoke.ts';
import { share } from './share.ts';
import { show } from './show.ts';
import { test } from './test.ts';
import { waivers } from './waivers.ts';

export const GUARD_COMMANDS: CommandMakers = {
  list: () => list,
  show: () => show,
  test: () => test,
  allow: () => allow,
  waivers: () => waivers,
  revoke: () => revoke,
  propose: () => propose,
  backtest: () => backtest,
  promote: () => promote,
  retire: () => retire,
  share: () => share,
};
