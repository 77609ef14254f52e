import type { CliCommand } from '../cli-command.ts';
import { accept } from './accept.ts';
import { evidence } from './evidence.ts';
import { verify } from './verify.ts';

export const VERIFICATION_COMMANDS: readonly CliCommand[] = [verify, evidence, accept];
