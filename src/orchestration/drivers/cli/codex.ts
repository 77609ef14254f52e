import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { canonicalJson } from '../../../domain/json/json.ts';
import { readPatch } from '../../../domain/patches/read-patch.ts';
import { codexTrust } from '../../../enforcement/agents/codex.ts';
import type { TimedHookCommand } from '../../../enforcement/install/hook-launcher.ts';
import { CODEX_EVENTS, codexHandler, withCodexHooks } from '../../../enforcement/install/wire-codex.ts';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import type {
  CliAgent,
  CliAgentOptions,
  FailureMeaning,
  ReportedAction,
  StartContext,
  StreamCall,
  StreamEvent,
} from './cli-agent.ts';
import { pickVariables } from './cli-agent.ts';
import { shellWords } from './shell-words.ts';

export interface CodexOptions extends CliAgentOptions {
  /** Settings in the form of `codex -c`, such as a model provider. */
  settings?: readonly string[] | undefined;
}

const TOOL_SERVER = 'guardkit';
const OWN_TOOL = `mcp__${TOOL_SERVER}__`;

/** OpenAI's Codex CLI. */
export function codexAgent(options: CodexOptions = {}): CliAgent {
  return {
    name: 'codex',
    confinesItself: true,
    logIn: 'run `codex login`',
    prepare: (start) => prepare(start, options),
    newReader: () => readEvent,
    explain,
    ownTool: (tool) => (tool.startsWith(OWN_TOOL) ? tool.slice(OWN_TOOL.length) : undefined),
  };
}

/** Account and service; further variables are named in the configuration. */
const OWN_VARIABLES = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_ORGANIZATION',
  'OPENAI_PROJECT',
  'CODEX_API_KEY',
  'CODEX_ACCESS_TOKEN',
  'CODEX_CA_CERTIFICATE',
  'CODEX_REFRESH_TOKEN_URL_OVERRIDE',
];

function prepare(start: StartContext, { model, settings = [], env: names = [] }: CodexOptions) {
  const { home, kept, hooks, request, prompt, session } = start;
  const { env, access, sandbox } = request;
  const persons = { home: env.HOME ?? homedir(), codex: env.CODEX_HOME ?? '' };
  const login = join(persons.codex || join(persons.home, '.codex'), 'auth.json');
  const sessions = join(kept, 'sessions');
  makeFolder(sessions, 0o700);
  // Codex's own sandbox does not work inside GuardKit's.
  const own = access === 'write' ? 'workspace-write' : 'read-only';
  const config = [
    ...settings,
    // A trusted project could switch hooks off.
    'features.hooks=true',
    // The provider runs it, so no hook sees it.
    'web_search="disabled"',
    'shell_environment_policy.ignore_default_excludes=false',
  ];
  const args = [
    'exec',
    '--json',
    ...['--sandbox', sandbox ? 'danger-full-access' : own],
    '--skip-git-repo-check',
    '--ignore-rules',
    ...(model === undefined ? [] : ['--model', model]),
    ...config.flatMap((one) => ['-c', one]),
    // Without this, it waits forever for a service that is away.
    ...['--disable', 'unbounded_connection_retries'],
    ...(session === undefined ? [] : ['resume', session]),
    // The prompt is in the input.
    '-',
  ];
  return {
    args,
    env: { ...pickVariables(env, [...OWN_VARIABLES, ...names]), CODEX_HOME: home },
    input: prompt,
    files: {
      'config.toml': configText(start),
      ...(hooks ? { 'hooks.json': JSON.stringify(withCodexHooks({}, hooks)) } : {}),
    },
    // The log-in stays in its place: a copied refresh token would be used twice, and both copies become invalid.
    links: { sessions, ...(existsSync(login) ? { 'auth.json': login } : {}) },
    hidden: [join(persons.home, '.agents')].filter((path) => existsSync(path)),
  };
}

function configText({ home, hooks, tools, request }: StartContext): string {
  const text = JSON.stringify;
  return [
    // So that no settings, hooks and instructions of the candidate apply.
    `[projects.${text(request.folder)}]\ntrust_level = "untrusted"\n`,
    tools &&
      `[mcp_servers.${TOOL_SERVER}]\ncommand = ${text(tools.command)}\nargs = ${text(tools.args)}\n` +
        `default_tools_approval_mode = "approve"\n[mcp_servers.${TOOL_SERVER}.env]\n` +
        Object.entries(tools.env)
          .map(([name, value]) => `${name} = ${text(value)}\n`)
          .join(''),
    hooks && codexTrust(join(home, 'hooks.json'), trusted(hooks)),
  ]
    .filter(Boolean)
    .join('\n');
}

function trusted(hooks: TimedHookCommand) {
  return CODEX_EVENTS.map((event) => {
    const { command = '', timeout = 0 } = codexHandler(event, hooks);
    return { event, command, timeout };
  });
}

const usageSchema = z.object({
  input_tokens: z.number().min(0),
  cached_input_tokens: z.number().min(0).default(0),
  output_tokens: z.number().min(0),
});

const itemSchema = z.looseObject({ id: z.string(), type: z.string() });
const commandSchema = z.looseObject({ command: z.string() });
const changeSchema = z.looseObject({ changes: z.array(z.looseObject({ path: z.string() })) });
const toolSchema = z.looseObject({ server: z.string(), tool: z.string(), arguments: z.unknown() });
const textSchema = z.looseObject({ text: z.string() });
const errorSchema = z.looseObject({ message: z.string() });

const eventSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.looseObject({ type: z.literal('turn.completed'), usage: usageSchema }),
  z.looseObject({ type: z.literal('turn.failed'), error: errorSchema }),
  z.looseObject({ type: z.literal('error'), message: z.string() }),
  z.looseObject({ type: z.literal('item.started'), item: itemSchema }),
  z.looseObject({ type: z.literal('item.updated'), item: itemSchema }),
  z.looseObject({ type: z.literal('item.completed'), item: itemSchema }),
]);

/** Items that are not actions. */
const TALKING: readonly string[] = ['reasoning', 'todo_list', 'error'];

function readEvent(event: unknown): StreamEvent[] {
  const parsed = eventSchema.safeParse(event).data;
  if (!parsed) return unreadItem(event);
  switch (parsed.type) {
    case 'thread.started':
      return [{ type: 'session', id: parsed.thread_id }];
    case 'turn.completed': {
      const { input_tokens, cached_input_tokens, output_tokens } = parsed.usage;
      const tokens = { input: input_tokens, cached: cached_input_tokens, output: output_tokens };
      return [{ type: 'used', tokens, total: true }];
    }
    case 'turn.failed':
      return [{ type: 'failed', why: parsed.error.message }];
    case 'error':
      return [{ type: 'did', line: `error: ${parsed.message}` }];
    default:
      return readItem(parsed.item, parsed.type === 'item.started');
  }
}

function readItem(item: z.infer<typeof itemSchema>, begins: boolean): StreamEvent[] {
  if (TALKING.includes(item.type)) return [];
  if (item.type === 'agent_message')
    return [{ type: 'said', text: textSchema.safeParse(item).data?.text ?? '' }];
  const call = callOf(item);
  return [{ type: 'called', call }, ...(begins ? [{ type: 'did' as const, line: call.what }] : [])];
}

/** An item in another form cannot be matched. */
function unreadItem(event: unknown): StreamEvent[] {
  const isItem = z.looseObject({ type: z.string().startsWith('item.') }).safeParse(event).success;
  const what = 'an item that GuardKit cannot read';
  return isItem ? [{ type: 'called', call: { id: 'unread', what, isOf: () => false } }] : [];
}

function callOf(item: z.infer<typeof itemSchema>): StreamCall {
  const { id, type } = item;
  if (type === 'command_execution') {
    const { command = '' } = commandSchema.safeParse(item).data ?? {};
    return { id, what: `run ${command}`, isOf: (action) => isCommand(action, command) };
  }
  if (type === 'file_change') {
    const paths = (changeSchema.safeParse(item).data?.changes ?? []).map(({ path }) => path);
    return { id, what: `change ${paths.join(', ')}`, isOf: (action) => isChange(action, paths) };
  }
  if (type === 'mcp_tool_call') {
    const { server = '', tool = '', arguments: input } = toolSchema.safeParse(item).data ?? {};
    const name = `mcp__${server}__${tool}`;
    return {
      id,
      what: name,
      isOf: ({ tool: reported, request }) =>
        reported === name && (request.kind !== 'tool' || sameJson(request.input, input)),
    };
  }
  if (type === 'collab_tool_call')
    return { id, what: 'a subagent’s tool', isOf: ({ tool }) => tool.startsWith('collaboration') };
  return { id, what: `an item of the unknown type ${type}`, isOf: () => false };
}

/** The stream shows the shell's command line, the hook only the script. */
function isCommand({ request }: ReportedAction, line: string): boolean {
  if (request.kind !== 'command') return false;
  const [, option, script, ...more] = shellWords(line) ?? [];
  return more.length === 0 && /^-l?c$/.test(option ?? '') && script === request.command;
}

/** A patch, or a command that Codex recognizes as one and applies itself. */
function isChange({ request, cwd }: ReportedAction, paths: readonly string[]): boolean {
  const patched = request.kind === 'patch' ? request.files : patchIn(request);
  const names = patched.map(({ path }) => path);
  const isNamed = (path: string) =>
    names.some((name) => path === resolve(cwd, name) || path.endsWith(`/${name.replace(/^\.\//, '')}`));
  return paths.length > 0 && paths.every(isNamed);
}

function patchIn(request: ReportedAction['request']) {
  if (request.kind !== 'command') return [];
  const { command } = request;
  const [from, to] = [command.indexOf('*** Begin Patch'), command.lastIndexOf('*** End Patch')];
  const patch = from < 0 || to < 0 ? undefined : readPatch(command.slice(from, to + '*** End Patch'.length));
  return patch?.ok ? patch.files : [];
}

function sameJson(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}

const LOCKED_OUT =
  /\b40[123] (?:Unauthorized|Payment Required|Forbidden)|Quota exceeded|not logged in|log ?in again|sign in again|refresh token|access token could not be refreshed|Missing environment variable/i;
const RATE_LIMITED = /\b429\b|usage limit|high demand|\b50[234] |overloaded|rate limit/i;
const SESSION_GONE = /no rollout found|thread .{0,80}not found|session .{0,80}not found/i;

/** Codex reports failures only as text. */
function explain(failure: string): FailureMeaning | undefined {
  if (LOCKED_OUT.test(failure)) return 'locked_out';
  if (RATE_LIMITED.test(failure)) return 'rate_limited';
  return SESSION_GONE.test(failure) ? 'session_gone' : undefined;
}
