import type { CommandMakers } from '../program/command-group.ts';
import { accept } from './accept.ts';
import { evidence } from './evidence.ts';
import { verify } from './verify.ts';

export const VERIFICATION_COMMANDS: CommandMakers = {
  verify: () => verify,
  evidence: () => evidence,
  accept: () => accept,
};
