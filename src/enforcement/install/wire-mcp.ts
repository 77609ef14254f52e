import { chmodSync, existsSync, lstatSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { canonicalJson, isJson } from '../../domain/json/json.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { editMember, editNestedMember } from './edit-json.ts';
import { LEFT_OUT_VARIABLES, quote } from './hook-launcher.ts';
import { programFile } from './own-package.ts';
import { isEmpty, type WiringStep } from './settings-file.ts';

/** Lists a project's MCP servers for coding agents. */
export const MCP_FILE = '.mcp.json';
const SERVER = 'guardkit';
const SHARED_COMMAND = 'guardkit';
const MAX_BYTES = 4 * 1024 * 1024;

const fileSchema = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()).optional() });
const serverSchema = z.looseObject({ command: z.string(), args: z.array(z.string()).optional() });

interface McpFile {
  /** Real path, if it is a link. */
  real: string;
  /** Undefined if there is no file. */
  text: string | undefined;
  servers: Record<string, unknown>;
}

export interface McpWiring {
  root: string;
  dataFolder: string;
  /** For the team: by program name instead of a path on this machine (default: as installed, else no). */
  shared?: boolean | undefined;
}

/** All changes needed for agents in this project to have GuardKit's tools. */
export function planMcpWiring({ root, dataFolder, ...wish }: McpWiring): WiringStep[] {
  const file = requireFile(root);
  const found = ownServer(file);
  if (found !== undefined && !isMcpServerOurs(found))
    throw unusable(join(root, MCP_FILE), `it already has another server named ${SERVER}`);
  const shared = wish.shared ?? serverSchema.safeParse(found).data?.command === SHARED_COMMAND;
  const own = shared
    ? { type: 'stdio', command: SHARED_COMMAND, args: ['mcp'] }
    : { type: 'stdio', command: mcpLauncherPath(dataFolder), args: [] };
  const same = found !== undefined && isJson(found) && canonicalJson(found) === canonicalJson(own);
  return [
    ...(shared ? [] : [mcpLauncherStep(dataFolder)]),
    fileStep(file, same ? file.text : withServer(root, file, own)),
  ];
}

/** Removes GuardKit's server; a person's own server of the same name stays. */
export function planMcpRemoval(root: string): WiringStep[] {
  if (!lstatSync(join(root, MCP_FILE), { throwIfNoEntry: false })) return [];
  const file = requireFile(root);
  if (!isMcpServerOurs(file.servers[SERVER])) return [];
  return [fileStep(file, withServer(root, file, undefined))];
}

/** Whether `.mcp.json` lists GuardKit's server. */
export function isMcpWired(root: string): boolean {
  const reading = readFile(join(root, MCP_FILE));
  return reading.ok && isMcpServerOurs(ownServer(reading.file));
}

function ownServer({ servers }: McpFile): unknown {
  return Object.hasOwn(servers, SERVER) ? servers[SERVER] : undefined;
}

function isMcpServerOurs(server: unknown): boolean {
  const { command, args } = serverSchema.safeParse(server).data ?? { command: '' };
  return command.endsWith('/bin/guardkit-mcp') || (command === SHARED_COMMAND && args?.[0] === 'mcp');
}

function withServer(root: string, { text = '{}\n', servers }: McpFile, server: object | undefined): string {
  const before = text.trim() === '' ? '{}\n' : text;
  const others = Object.keys(servers).filter((name) => name !== SERVER);
  const after =
    others.length > 0
      ? editNestedMember(before, 'mcpServers', SERVER, server)
      : editMember(before, 'mcpServers', server && { [SERVER]: server });
  if (after === undefined) throw unusable(join(root, MCP_FILE), 'it has a duplicate key');
  return after;
}

function fileStep({ real, text: before }: McpFile, after: string | undefined): WiringStep {
  const same = after === before;
  const empty = after === undefined || isEmpty(after);
  return {
    path: MCP_FILE,
    target: real,
    action: same ? 'keep' : empty ? 'remove' : before === undefined ? 'create' : 'change',
    perform: () => {
      if (same) return;
      if (empty) return rmSync(real, { force: true });
      const mode = statSync(real, { throwIfNoEntry: false })?.mode;
      writeFileAtomic(real, after, mode === undefined ? 0o644 : mode & 0o777);
    },
  };
}

function requireFile(root: string): McpFile {
  const path = join(root, MCP_FILE);
  const reading = readFile(path);
  if (reading.ok) return reading.file;
  throw unusable(path, reading.why);
}

function readFile(path: string): { ok: true; file: McpFile } | { ok: false; why: string } {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false }))
      return { ok: true, file: { real: path, text: undefined, servers: {} } };
    const stat = statSync(path);
    if (!stat.isFile()) return { ok: false, why: 'it is not a file' };
    if (stat.size > MAX_BYTES) return { ok: false, why: 'it is larger than 4 MB' };
    const text = readFileSync(path, 'utf8');
    const parsed = fileSchema.safeParse(text.trim() === '' ? {} : JSON.parse(text));
    if (!parsed.success) return { ok: false, why: 'mcpServers is not an object' };
    return { ok: true, file: { real: realpathSync(path), text, servers: parsed.data.mcpServers ?? {} } };
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, why: 'it is not valid JSON' };
    if (!(error instanceof Error && 'code' in error)) throw error;
    return { ok: false, why: `it cannot be read (${error.code})` };
  }
}

function unusable(path: string, why: string): GuardKitError {
  return new GuardKitError({
    code: 'wiring.mcp-unreadable',
    kind: 'input',
    message: `Cannot add GuardKit’s server to ${path}: ${why}.`,
    hint: 'Fix the file (JSON without comments) or move it elsewhere, then run the command again. Nothing was written.',
  });
}

const MODE = 0o700;

/** The script that agents start to get GuardKit's tools. */
export function mcpLauncherPath(dataFolder: string): string {
  return join(dataFolder, 'bin', 'guardkit-mcp');
}

function mcpLauncherText(dataFolder: string): string {
  const program = [process.execPath, programFile(), 'mcp'];
  return `#!/bin/sh
# Written by guardkit init --mcp. Serves GuardKit's tools to a coding agent; guardkit uninstall removes it.
unset ${LEFT_OUT_VARIABLES}
GUARDKIT_HOME=${quote(dataFolder)}
export GUARDKIT_HOME
exec ${program.map(quote).join(' ')} "$@"
`;
}

export function mcpLauncherStep(dataFolder: string): WiringStep {
  const target = mcpLauncherPath(dataFolder);
  const text = mcpLauncherText(dataFolder);
  return {
    path: target,
    target,
    action: isCurrent(target, text) ? 'keep' : existsSync(target) ? 'change' : 'create',
    perform: () => {
      if (isCurrent(target, text)) return;
      makeFolder(join(dataFolder, 'bin'), MODE);
      writeFileAtomic(target, text, MODE);
      // The umask may have removed bits.
      chmodSync(target, MODE);
    },
  };
}

function isCurrent(path: string, text: string): boolean {
  try {
    return (statSync(path).mode & 0o777) === MODE && readFileSync(path, 'utf8') === text;
  } catch {
    // Safe: an unreadable launcher is written again.
    return false;
  }
}
