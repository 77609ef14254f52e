import { MCP_SERVER, type McpPlace, mcpPlace } from '../wire-mcp.ts';
import { FileFault } from './edit-text-step.ts';
import { blockIn, type TomlBlock, withBlock } from './toml-block.ts';

const BLOCK: TomlBlock = { name: 'mcp', at: 'end' };
/** A server of this name, or all servers in one value, in a form that a further table would contradict. */
const OTHER =
  /^[ \t]*\[?[ \t]*["']?mcp_servers["']?[ \t]*(?:=|\.[ \t]*["']?guardkit["']?[ \t]*[.=\]])|^[ \t]*["']?guardkit["']?[ \t]*[.=]/m;
const STRINGS = /"(?:[^"\\]|\\.)*"/g;

/** Codex reads a project's servers from this file once the person has trusted the folder. */
export const CODEX_MCP: McpPlace = mcpPlace({
  file: '.codex/config.toml',
  commandIn(text) {
    const lines = blockIn(text, BLOCK);
    if (!lines) return OTHER.test(text) ? [] : undefined;
    return ['command', 'args'].flatMap((key) => stringsOf(lines, key));
  },
  withServer(text = '', command) {
    if (OTHER.test(withBlock(text, BLOCK, undefined)))
      throw new FileFault(`it defines ${MCP_SERVER} or all of mcp_servers itself`);
    return withBlock(text, BLOCK, command && tableOf(command));
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
