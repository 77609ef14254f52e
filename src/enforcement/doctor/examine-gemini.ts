import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { isInside } from '../../platform/files/path-inside.ts';
import { GEMINI_SETTINGS } from '../install/wire-gemini.ts';
import type { AgentContext, DoctorCheck } from './doctor-check.ts';

const settingsSchema = z.looseObject({
  hooksConfig: z
    .looseObject({ enabled: z.boolean().optional(), disabled: z.array(z.string()).optional() })
    .optional(),
  security: z
    .looseObject({ folderTrust: z.looseObject({ enabled: z.boolean().optional() }).optional() })
    .optional(),
});
const trustSchema = z.record(z.string(), z.string());

const id = 'gemini-trust';

/** Gemini CLI uses a project's hooks only in a trusted folder, and settings can switch hooks off. */
export async function examineGeminiTrust({ root, env }: AgentContext): Promise<DoctorCheck> {
  const own = join(env.HOME ?? homedir(), '.gemini');
  const files = [join(root, GEMINI_SETTINGS), join(own, 'settings.json')];
  const settings = files.map((path) => ({ path, value: read(path, settingsSchema) }));
  const off = settings.find(
    ({ value }) =>
      value?.hooksConfig?.enabled === false ||
      value?.hooksConfig?.disabled?.some((name) => name.includes('guardkit-hook')),
  );
  if (off)
    return {
      id,
      outcome: 'fail',
      code: 'hooks-off',
      found: `${off.path} switches hooks off`,
      hint: 'Remove hooksConfig.enabled and GuardKit’s command from hooksConfig.disabled there.',
    };
  const asks = settings.every(({ value }) => value?.security?.folderTrust?.enabled !== false);
  if (!asks) return { id, outcome: 'pass', found: 'Gemini CLI trusts every folder' };
  const trusted = read(join(own, 'trustedFolders.json'), trustSchema) ?? {};
  const isTrusted = Object.entries(trusted).some(
    ([folder, trust]) =>
      (trust === 'TRUST_FOLDER' && isInside(real(root), real(folder))) ||
      (trust === 'TRUST_PARENT' && isInside(real(root), dirname(real(folder)))),
  );
  return isTrusted
    ? { id, outcome: 'pass', found: 'Gemini CLI trusts this folder' }
    : {
        id,
        outcome: 'fail',
        code: 'folder-untrusted',
        found: 'Gemini CLI does not use the hooks of this folder',
        hint: 'Start `gemini` here and trust the folder.',
      };
}

function read<Value>(path: string, schema: z.ZodType<Value>): Value | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    // Safe: Gemini CLI reports a broken file itself, and does not start.
    return undefined;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
