import { join } from 'node:path';
import { git } from '../../../platform/git/git.ts';
import { plannedAccess } from '../../shell/planned-access.ts';
import type { ShellContext } from '../../shell/refresh-profiles.ts';
import type { WiringStep } from '../settings-file.ts';
import { MCP_SERVER, type McpPlace, mcpPlace } from '../wire-mcp.ts';
import { blockIn, editTextStep, FileFault, readText, type TomlBlock, withBlock } from './edit-text-step.ts';

export const CODEX_CONFIG = '.codex/config.toml';

const CHOICE: TomlBlock = { name: 'sandbox', at: 'top' };
const PROFILE: TomlBlock = { name: 'protected paths', at: 'end' };
const NAME = 'guardkit';

/** How Codex's own sandbox can make protected paths read-only, or why not. */
export type CodexSandbox = { ok: true; base: string; context: ShellContext } | { ok: false; why: string };

/**
 * Codex runs commands in its own sandbox. GuardKit extends the person's permission profile, and never replaces settings that
 * it cannot express as an extension: it would take rights away or give more.
 */
export async function planCodexSandbox(context: ShellContext, codexHome: string): Promise<CodexSandbox> {
  try {
    const base = baseProfile(readText(join(codexHome, 'config.toml')).text ?? '');
    if (base === undefined) return { ok: false, why: 'your Codex settings choose a sandbox of their own' };
    const own = readText(join(context.checkout, CODEX_CONFIG)).text ?? '';
    if (/^[ \t]*(?:default_permissions|sandbox_mode|profile)[ \t]*=/m.test(bare(own)))
      return { ok: false, why: `${CODEX_CONFIG} chooses a sandbox of its own` };
    // The list has paths of this machine.
    const { stdout } = await git(context.checkout, ['ls-files', '--', CODEX_CONFIG]);
    return stdout.trim() === ''
      ? { ok: true, base, context }
      : { ok: false, why: `${CODEX_CONFIG} is committed, and the profile contains paths on this machine` };
  } catch (error) {
    if (error instanceof FileFault) return { ok: false, why: `${CODEX_CONFIG}: ${error.message}` };
    throw error;
  }
}

/** The permission profile that is in force without GuardKit's; undefined if there is none to extend. */
export function baseProfile(settings: string): string | undefined {
  const [top = ''] = settings.split(/^[ \t]*\[/m);
  const value = (key: string) => {
    const [, double, single] =
      new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*(?:"([^"\\\\]*)"|'([^']*)')`, 'm').exec(top) ?? [];
    return double ?? single;
  };
  if (value('profile') !== undefined || /^[ \t]*\[?[ \t]*sandbox_workspace_write\b/m.test(settings))
    return undefined;
  const chosen = value('default_permissions');
  if (chosen !== undefined) return chosen === ':danger-full-access' ? undefined : chosen;
  switch (value('sandbox_mode')) {
    case undefined:
    case 'workspace-write':
      return ':workspace';
    case 'read-only':
      return ':read-only';
    default:
      return undefined;
  }
}

/** The list is made when the step is performed, since earlier steps create protected folders. */
export function codexSandboxStep({ base, context }: Extract<CodexSandbox, { ok: true }>): WiringStep {
  return editTextStep(context.checkout, CODEX_CONFIG, (text = '') =>
    withBlock(
      withBlock(text, CHOICE, [`default_permissions = "${NAME}"`]),
      PROFILE,
      profileOf(base, context),
    ),
  );
}

export function codexSandboxRemoval(root: string): WiringStep[] {
  const without = (text = '') => withBlock(withBlock(text, CHOICE, undefined), PROFILE, undefined);
  try {
    const step = editTextStep(root, CODEX_CONFIG, without);
    return step.action === 'keep' ? [] : [step];
  } catch (error) {
    // Safe: without a readable file there is no block to remove.
    if (error instanceof FileFault) return [];
    throw error;
  }
}

/** Whether a checkout has GuardKit's list. */
export function hasCodexSandbox(root: string): boolean {
  try {
    return blockIn(readText(join(root, CODEX_CONFIG)).text ?? '', CHOICE) !== undefined;
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}

function bare(text: string): string {
  return withBlock(text, CHOICE, undefined);
}

function profileOf(base: string, context: ShellContext): string[] {
  return [
    `[permissions.${NAME}]`,
    `extends = ${JSON.stringify(base)}`,
    '',
    `[permissions.${NAME}.filesystem]`,
    ...plannedAccess(context).map(({ path, access }) => `${JSON.stringify(path)} = "${access}"`),
  ];
}

const MCP_BLOCK: TomlBlock = { name: 'mcp', at: 'end' };
/** A server of this name, or all servers in one value, in a form that a further table would contradict. */
const OTHER_SERVERS =
  /^[ \t]*\[?[ \t]*["']?mcp_servers["']?[ \t]*(?:=|\.[ \t]*["']?guardkit["']?[ \t]*[.=\]])|^[ \t]*["']?guardkit["']?[ \t]*[.=]/m;
const STRINGS = /"(?:[^"\\]|\\.)*"/g;

/** Codex reads a project's servers from this file once the person has trusted the folder. */
export const CODEX_MCP: McpPlace = mcpPlace({
  file: CODEX_CONFIG,
  commandIn(text) {
    const lines = blockIn(text, MCP_BLOCK);
    if (!lines) return OTHER_SERVERS.test(text) ? [] : undefined;
    return ['command', 'args'].flatMap((key) => stringsOf(lines, key));
  },
  withServer(text = '', command) {
    if (OTHER_SERVERS.test(withBlock(text, MCP_BLOCK, undefined)))
      throw new FileFault(`it defines ${MCP_SERVER} or all of mcp_servers itself`);
    return withBlock(text, MCP_BLOCK, command && tableOf(command));
  },
});

/** Without the approval mode, `codex exec` refuses every tool of a server. GuardKit's tools judge their callers themselves. */
function tableOf([command, ...args]: readonly string[]): string[] {
  return [
    `[mcp_servers.${MCP_SERVER}]`,
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    'default_tools_approval_mode = "approve"',
    // Node may start slowly on a busy machine; Codex would go on without the tools.
    'startup_timeout_sec = 60',
  ];
}

function stringsOf(lines: readonly string[], key: string): string[] {
  const line = lines.find((one) => one.startsWith(`${key} = `)) ?? '';
  try {
    return [...line.matchAll(STRINGS)].map(([text]) => String(JSON.parse(text)));
  } catch {
    // Safe: an edited block does not count as GuardKit's and stays.
    return [];
  }
}
