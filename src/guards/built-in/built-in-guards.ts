import type { Guard } from '../guard.ts';
import { architectureByTool } from './architecture-by-tool.ts';
import { blockDirectEdit } from './block-direct-edit.ts';
import { blockTestedTrue } from './block-tested-true.ts';
import { destructiveCommands } from './destructive-commands.ts';
import { enforceMcpLogs } from './enforce-mcp-logs.ts';
import { fieldRights } from './field-rights.ts';
import { protectedSet } from './protected-set.ts';
import { secrets } from './secrets.ts';
import { signingKey } from './signing-key.ts';
import { thresholds } from './thresholds.ts';
import { unseenEffects } from './unseen-effects.ts';
import { verifyImplementation } from './verify-implementation.ts';
import { waiverForgery } from './waiver-forgery.ts';

/** Every guard that GuardKit brings along. */
export const BUILT_IN_GUARDS: readonly Guard[] = [
  blockTestedTrue,
  fieldRights,
  protectedSet,
  waiverForgery,
  verifyImplementation,
  blockDirectEdit,
  enforceMcpLogs,
  destructiveCommands,
  unseenEffects,
  thresholds,
  secrets,
  signingKey,
  architectureByTool,
];
