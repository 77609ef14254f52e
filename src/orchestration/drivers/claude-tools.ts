import { hasTools, TASK_TOOLS } from '../../domain/entities/tool-role.ts';
import type { AgentRequest } from './agent-driver.ts';
import { judgeWrite } from './agent-sandbox.ts';

interface ClaudeTool {
  name: string;
  /** The key of its input that says which file it writes. */
  writes?: string;
  /** Runs what it is given, so that only the sandbox can tell what it writes. */
  runs?: true;
  /** The key of its input that tells a person most. */
  shows: string;
}

/** What an agent may use. A tool that is not here is refused: nobody has looked at what it does. */
const TOOLS: readonly ClaudeTool[] = [
  { name: 'Read', shows: 'file_path' },
  { name: 'Grep', shows: 'pattern' },
  { name: 'Glob', shows: 'pattern' },
  { name: 'Write', writes: 'file_path', shows: 'file_path' },
  { name: 'Edit', writes: 'file_path', shows: 'file_path' },
  { name: 'NotebookEdit', writes: 'notebook_path', shows: 'notebook_path' },
  { name: 'Bash', runs: true, shows: 'command' },
];

/** GuardKit's own server of tools, as Claude Code is told of it. */
export const TOOL_SERVER = 'guardkit';
const OWN_TOOL = `mcp__${TOOL_SERVER}__`;

/** How Claude Code takes an answer by schema. */
const ANSWER_TOOL = 'StructuredOutput';

/** An answer names files without touching them: it is an end rather than an action. */
export function isAnswer(toolName: string): boolean {
  return toolName === ANSWER_TOOL;
}

/** The names of the tools that are offered to a role. */
export function claudeTools(access: AgentRequest['access']): string[] {
  return TOOLS.filter((tool) => access === 'write' || !changesSomething(tool)).map(({ name }) => name);
}

export type ToolJudgement = { ok: true } | { ok: false; why: string };

/** Whether a tool may be used like this; the input is whatever the model said. */
export function judgeTool(
  name: string,
  input: unknown,
  request: Pick<AgentRequest, 'role' | 'folder' | 'access' | 'sandbox'>,
): ToolJudgement {
  if (isAnswer(name) || isOwnTool(name, request)) return { ok: true };
  const tool = TOOLS.find((one) => one.name === name);
  if (!tool) return { ok: false, why: `the tool ${name} is not for this run` };
  if (request.access === 'read' && changesSomething(tool))
    return { ok: false, why: `this role only reads, and ${name} can change files` };
  if (!tool.writes) return { ok: true };
  const path = stringAt(input, tool.writes);
  if (path === undefined) return { ok: false, why: `${name} does not say which file it changes` };
  const judged = judgeWrite(path, request);
  return judged.ok ? judged : { ok: false, why: `${name} may not change ${path}: ${judged.why}` };
}

/** They keep to an agent's rights by themselves. */
function isOwnTool(name: string, { role }: Pick<AgentRequest, 'role'>): boolean {
  return hasTools(role) && name.startsWith(OWN_TOOL) && TASK_TOOLS.includes(name.slice(OWN_TOOL.length));
}

/** What of a tool's input is worth showing. */
export function describeInput(name: string, input: unknown): string {
  const shows =
    TOOLS.find((one) => one.name === name)?.shows ?? (name.startsWith(OWN_TOOL) ? 'operation' : '');
  return stringAt(input, shows) ?? '';
}

function changesSomething({ writes, runs }: ClaudeTool): boolean {
  return writes !== undefined || runs === true;
}

function stringAt(input: unknown, key: string): string | undefined {
  if (input === null || typeof input !== 'object' || !Object.hasOwn(input, key)) return undefined;
  const value: unknown = Reflect.get(input, key);
  return typeof value === 'string' ? value : undefined;
}
