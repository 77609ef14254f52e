import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { canonicalJson, isJson } from '../../domain/json/json.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { editMember, editNestedMember } from './edit-json.ts';
import { mcpLauncherPath, mcpLauncherStep } from './mcp-launcher.ts';
import { editTextStep, FileFault, readText } from './project-files/edit-text-step.ts';
import { isEmpty, type WiringStep } from './settings-file.ts';

/** GuardKit's name among the servers of an agent. */
export const MCP_SERVER = 'guardkit';
const SHARED_WORDS = ['guardkit', 'mcp'] as const;

export interface McpWiring {
  root: string;
  dataFolder: string;
  /** For the team: by program name instead of a path on this machine (default: as installed, else no). */
  shared?: boolean | undefined;
}

/** Where an agent's project settings list MCP servers. */
export interface McpPlace {
  /** Relative to the project. */
  file: string;
  /** All changes needed for the agent to have GuardKit's tools in this project. */
  plan(wiring: McpWiring): WiringStep[];
  /** Removes GuardKit's server; a person's own server of the same name stays. */
  planRemoval(root: string): WiringStep[];
  isWired(root: string): boolean;
}

/** How a settings file is written; its text is undefined without a file. */
export interface McpFormat {
  file: string;
  /** Empty if nothing is left. Throws a `FileFault` if the file cannot be changed. */
  withServer(text: string | undefined, command: readonly string[] | undefined): string;
  /** The command of the server named guardkit; undefined without one, empty if it is not readable. */
  commandIn(text: string): readonly string[] | undefined;
}

/** GuardKit's server in one settings file. */
export function mcpPlace(format: McpFormat): McpPlace {
  const { file } = format;
  const commandIn = (root: string) => {
    const { text } = readText(join(root, file));
    return text === undefined ? undefined : format.commandIn(text);
  };
  const change = (root: string, command: readonly string[] | undefined) => {
    const edit = (text: string | undefined) =>
      attempt(join(root, file), () => format.withServer(text, command));
    return attempt(join(root, file), () => editTextStep(root, file, edit));
  };
  return {
    file,
    plan({ root, dataFolder, ...wish }) {
      const path = join(root, file);
      const found = attempt(path, () => commandIn(root));
      if (found !== undefined && !isOurs(found))
        throw unusable(path, `it already has another server named ${MCP_SERVER}`);
      const shared = wish.shared ?? isShared(found);
      const command = shared ? SHARED_WORDS : [mcpLauncherPath(dataFolder)];
      return [...(shared ? [] : [mcpLauncherStep(dataFolder)]), change(root, command)];
    },
    planRemoval(root) {
      const path = join(root, file);
      if (!lstatSync(path, { throwIfNoEntry: false })) return [];
      const found = attempt(path, () => commandIn(root));
      return found !== undefined && isOurs(found) ? [change(root, undefined)] : [];
    },
    isWired(root) {
      try {
        return isOurs(commandIn(root) ?? []);
      } catch (error) {
        if (error instanceof FileFault) return false;
        throw error;
      }
    },
  };
}

function isOurs([program = '', ...args]: readonly string[]): boolean {
  return program.endsWith('/bin/guardkit-mcp') || isShared([program, ...args]);
}

function isShared(command: readonly string[] = []): boolean {
  return SHARED_WORDS.every((word, index) => command[index] === word);
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileFault) throw unusable(path, error.message);
    throw error;
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

/** A JSON file with a member that contains the servers by name. */
interface JsonFormat {
  file: string;
  member: string;
  server(command: readonly string[]): object;
  commandOf(server: unknown): readonly string[] | undefined;
}

const stdioSchema = z.looseObject({ command: z.string(), args: z.array(z.string()).optional() });
const localSchema = z.looseObject({ command: z.array(z.string()) });

/** `command` and `args`, as most agents have it. */
function stdioCommand(server: unknown): readonly string[] | undefined {
  const { command, args = [] } = stdioSchema.safeParse(server).data ?? {};
  return command === undefined ? undefined : [command, ...args];
}

function jsonPlace({ file, member, server, commandOf }: JsonFormat): McpPlace {
  const serversIn = (text: string): Record<string, unknown> => {
    const servers = parsed(text)[member] ?? {};
    const found = z.record(z.string(), z.unknown()).safeParse(servers).data;
    if (!found) throw new FileFault(`${member} is not an object`);
    return found;
  };
  const ownIn = (text: string): unknown => {
    const servers = serversIn(text);
    return Object.hasOwn(servers, MCP_SERVER) ? servers[MCP_SERVER] : undefined;
  };
  return mcpPlace({
    file,
    commandIn: (text) => {
      const own = ownIn(text);
      return own === undefined ? undefined : (commandOf(own) ?? []);
    },
    withServer(text, command) {
      const before = text === undefined || text.trim() === '' ? '{}\n' : text;
      const wanted = command && server(command);
      const own = ownIn(before);
      if (wanted && isJson(own) && canonicalJson(own) === canonicalJson(wanted)) return text ?? '';
      const others = Object.keys(serversIn(before)).filter((name) => name !== MCP_SERVER);
      const after =
        others.length > 0
          ? editNestedMember(before, member, MCP_SERVER, wanted)
          : editMember(before, member, wanted && { [MCP_SERVER]: wanted });
      if (after === undefined) throw new FileFault('it has a duplicate key');
      return isEmpty(after) ? '' : after;
    },
  });
}

function parsed(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FileFault('it is not valid JSON');
  }
  const found = z.record(z.string(), z.unknown()).safeParse(value).data;
  if (!found) throw new FileFault('it is not a JSON object');
  return found;
}

export const CLAUDE_MCP: McpPlace = jsonPlace({
  file: '.mcp.json',
  member: 'mcpServers',
  server: ([command, ...args]) => ({ type: 'stdio', command, args }),
  commandOf: stdioCommand,
});

export const GEMINI_MCP: McpPlace = jsonPlace({
  file: '.gemini/settings.json',
  member: 'mcpServers',
  server: ([command, ...args]) => ({ command, args }),
  commandOf: stdioCommand,
});

export const QWEN_MCP: McpPlace = jsonPlace({
  file: '.qwen/settings.json',
  member: 'mcpServers',
  server: ([command, ...args]) => ({ command, args }),
  commandOf: stdioCommand,
});

/** Copilot CLI also reads `.mcp.json`, which is Claude Code's. */
export const COPILOT_MCP: McpPlace = jsonPlace({
  file: '.github/mcp.json',
  member: 'mcpServers',
  server: ([command, ...args]) => ({ type: 'local', command, args, tools: ['*'] }),
  commandOf: stdioCommand,
});

/** OpenCode merges this file with the project's `opencode.json`. */
export const OPENCODE_MCP: McpPlace = jsonPlace({
  file: '.opencode/opencode.json',
  member: 'mcp',
  server: (command) => ({ type: 'local', command, enabled: true }),
  commandOf: (server) => localSchema.safeParse(server).data?.command,
});
