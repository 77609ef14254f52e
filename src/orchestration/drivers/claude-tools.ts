import { hasTools, TASK_TOOLS } from '../../domain/entities/tool-role.ts';
import type { AgentRequest } from './agent-driver.ts';
import { judgeWrite } from './agent-sandbox.ts';

interface ClaudeTool {
  name: string;
  /** The input key with the file it writes. */
  writes?: string;
  /** Runs arbitrary commands; only the sandbox limits what it writes. */
  runs?: true;
  /** The input key to display. */
  shows: string;
}

/** The allowed tools. Any other tool is refused: nobody has reviewed it. */
const TOOLS: readonly ClaudeTool[] = [
  { name: 'Read', shows: 'file_path' },
  { name: 'Grep', shows: 'pattern' },
  { name: 'Glob', shows: 'pattern' },
  { name: 'Write', writes: 'file_path', shows: 'file_path' },
  { name: 'Edit', writes: 'file_path', shows: 'file_path' },
  { name: 'NotebookEdit', writes: 'notebook_path', shows: 'notebook_path' },
  { name: 'Bash', runs: true, shows: 'command' },
];

/** The name of GuardKit's tool server in Claude Code. */
export const TOOL_SERVER = 'guardkit';
const OWN_TOOL = `mcp__${TOOL_SERVER}__`;

/** The tool through which Claude Code returns a structured answer. */
const ANSWER_TOOL = 'StructuredOutput';

/** A structured answer ends the run and is not an action, though it may name files. */
export function isAnswer(toolName: string): boolean {
  return toolName === ANSWER_TOOL;
}

/** The names of the tools offered with this access. */
export function claudeTools(access: AgentRequest['access']): string[] {
  return TOOLS.filter((tool) => access === 'write' || !changesSomething(tool)).map(({ name }) => name);
}

export type ToolJudgement = { ok: true } | { ok: false; why: string };

/** Whether a tool call is allowed; the input is unchecked model output. */
export function judgeTool(
  name: string,
  input: unknown,
  request: Pick<AgentRequest, 'role' | 'folder' | 'access' | 'sandbox'>,
): ToolJudgement {
  if (isAnswer(name) || isOwnTool(name, request)) return { ok: true };
  const tool = TOOLS.find((one) => one.name === name);
  if (!tool) return { ok: false, why: `the tool ${name} is not allowed in this run` };
  if (request.access === 'read' && changesSomething(tool))
    return { ok: false, why: `this role is read-only, and ${name} can change files` };
  if (!tool.writes) return { ok: true };
  const path = stringAt(input, tool.writes);
  if (path === undefined) return { ok: false, why: `${name} does not name the file it changes` };
  const judged = judgeWrite(path, request);
  return judged.ok ? judged : { ok: false, why: `${name} may not change ${path}: ${judged.why}` };
}

/** GuardKit's tools check an agent's rights themselves. */
function isOwnTool(name: string, { role }: Pick<AgentRequest, 'role'>): boolean {
  return hasTools(role) && name.startsWith(OWN_TOOL) && TASK_TOOLS.includes(name.slice(OWN_TOOL.length));
}

/** The part of a tool's input to display. */
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
