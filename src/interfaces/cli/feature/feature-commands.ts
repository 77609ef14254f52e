import type { CommandMakers } from '../program/cli-command.ts';
import { add } from './add.ts';
import { complete } from './complete.ts';
import { create } from './create.ts';
import { discard } from './discard.ts';
import { edit } from './edit.ts';
import { importFeatures } from './import.ts';
import { list } from './list.ts';
import { next } from './next.ts';
import { show } from './show.ts';
import { unblock } from './unblock.ts';
import { validate } from './validate.ts';

export const FEATURE_COMMANDS: CommandMakers = {
  create: () => create,
  add: () => add,
  import: () => importFeatures,
  edit: () => edit,
  list: () => list,
  show: () => show,
  next: () => next,
  validate: () => validate,
  unblock: () => unblock,
  complete: () => complete,
  discard: () => discard,
};
