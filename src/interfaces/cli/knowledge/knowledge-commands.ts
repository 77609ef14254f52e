import type { CommandMakers } from '../program/cli-command.ts';
import { fix } from './fix.ts';
import { merge } from './merge.ts';
import { pack } from './pack.ts';
import { path } from './path.ts';
import { query } from './query.ts';
import { render } from './render.ts';
import { show } from './show.ts';
import { update } from './update.ts';
import { validate } from './validate.ts';

export const KNOWLEDGE_COMMANDS: CommandMakers = {
  update: () => update,
  show: () => show,
  query: () => query,
  path: () => path,
  pack: () => pack,
  render: () => render,
  validate: () => validate,
  fix: () => fix,
  merge: () => merge,
};
