import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { isInside } from '../../platform/files/path-inside.ts';
import { COPILOT_SETTINGS } from '../install/wire-copilot.ts';
import { GEMINI_SETTINGS } from '../install/wire-gemini.ts';
import { QWEN_SETTINGS } from '../install/wire-qwen.ts';
import type { AgentContext, DoctorCheck } from './doctor-check.ts';

const settingsSchema = z.looseObject({
  disableAllHooks: z.boolean().optional(),
  hooksConfig: z
    .looseObject({ enabled: z.boolean().optional(), disabled: z.array(z.string()).optional() })
    .optional(),
  security: z
    .looseObject({ folderTrust: z.looseObject({ enabled: z.boolean().optional() }).optional() })
    .optional(),
});
const trustSchema = z.record(z.string(), z.string());
const copilotSchema = z.looseObject({ trustedFolders: z.array(z.string()).optional() });
/** Copilot CLI writes comments at the beginning of its file. */
const COMMENT_LINES = /^\s*\/\/.*$/gm;

/** An agent that reads a project's settings only in a trusted folder. */
interface TrustingAgent {
  id: string;
  title: string;
  program: string;
  /** The person's own settings. */
  own: string;
  /** The project's settings. */
  files: readonly string[];
  /** Without a setting, it asks about new folders. */
  asks: boolean;
  /** Whether the person has trusted a folder. */
  trusts(own: string, folder: string): boolean;
  hint: string;
}

/** Gemini CLI uses a project's hooks only in a trusted folder, and settings can switch hooks off. */
export async function examineGeminiTrust({ root, env }: AgentContext): Promise<DoctorCheck> {
  return examineTrust(root, {
    id: 'gemini-trust',
    title: 'Gemini CLI',
    program: 'gemini',
    own: join(env.HOME ?? homedir(), '.gemini'),
    files: [GEMINI_SETTINGS],
    asks: true,
    trusts: isInTrustFile,
    hint: 'Remove hooksConfig.enabled and GuardKit’s command from hooksConfig.disabled there.',
  });
}

/** The same for Qwen Code, which trusts every folder by default. */
export async function examineQwenTrust({ root, env }: AgentContext): Promise<DoctorCheck> {
  return examineTrust(root, {
    id: 'qwen-trust',
    title: 'Qwen Code',
    program: 'qwen',
    own: env.QWEN_HOME || join(env.HOME ?? homedir(), '.qwen'),
    files: [QWEN_SETTINGS],
    asks: false,
    trusts: isInTrustFile,
    hint: 'Remove disableAllHooks there.',
  });
}

/** The same for Copilot CLI. */
export async function examineCopilotTrust({ root, env }: AgentContext): Promise<DoctorCheck> {
  return examineTrust(root, {
    id: 'copilot-trust',
    title: 'Copilot CLI',
    program: 'copilot',
    own: env.COPILOT_HOME || join(env.HOME ?? homedir(), '.copilot'),
    files: [COPILOT_SETTINGS, COPILOT_SETTINGS.replace('.json', '.local.json')],
    asks: true,
    trusts: isTrustedByCopilot,
    hint: 'Remove disableAllHooks there.',
  });
}

function examineTrust(root: string, agent: TrustingAgent): DoctorCheck {
  const { id, title, own } = agent;
  const files = [...agent.files.map((file) => join(root, file)), join(own, 'settings.json')];
  const settings = files.map((path) => ({ path, value: read(path, settingsSchema) }));
  const off = settings.find(
    ({ value }) =>
      value?.disableAllHooks === true ||
      value?.hooksConfig?.enabled === false ||
      value?.hooksConfig?.disabled?.some((name) => name.includes('guardkit-hook')),
  );
  if (off)
    return {
      id,
      outcome: 'fail',
      code: 'hooks-off',
      found: `${off.path} switches hooks off`,
      hint: agent.hint,
    };
  const asked = settings.map(({ value }) => value?.security?.folderTrust?.enabled);
  const asks = agent.asks ? !asked.includes(false) : asked.includes(true);
  if (!asks) return { id, outcome: 'pass', found: `${title} trusts every folder` };
  return agent.trusts(own, real(root))
    ? { id, outcome: 'pass', found: `${title} trusts this folder` }
    : {
        id,
        outcome: 'fail',
        code: 'folder-untrusted',
        found: `${title} does not use the hooks of this folder`,
        hint: `Start \`${agent.program}\` here and trust the folder.`,
      };
}

function isInTrustFile(own: string, root: string): boolean {
  const trusted = read(join(own, 'trustedFolders.json'), trustSchema) ?? {};
  return Object.entries(trusted).some(
    ([folder, trust]) =>
      (trust === 'TRUST_FOLDER' && isInside(root, real(folder))) ||
      (trust === 'TRUST_PARENT' && isInside(root, dirname(real(folder)))),
  );
}

function isTrustedByCopilot(own: string, root: string): boolean {
  const { trustedFolders = [] } = read(join(own, 'config.json'), copilotSchema) ?? {};
  return trustedFolders.some((folder) => isInside(root, real(folder)));
}

function read<Value>(path: string, schema: z.ZodType<Value>): Value | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return schema.safeParse(JSON.parse(readFileSync(path, 'utf8').replace(COMMENT_LINES, ''))).data;
  } catch {
    // Safe: the agent reports a broken file itself, and does not start.
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
