import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { copilotActionId } from '../../../enforcement/agents/copilot.ts';
import { withCopilotHooks } from '../../../enforcement/install/wire-copilot.ts';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import type {
  CliAgent,
  CliAgentOptions,
  FailureMeaning,
  ProgramStart,
  StartContext,
  StreamCall,
  StreamEvent,
} from './cli-agent.ts';
import { pickVariables } from './cli-agent.ts';

const TOOL_SERVER = 'guardkit';
/** In hooks, and in the event stream. */
const OWN_TOOLS = [`mcp__${TOOL_SERVER}__`, `${TOOL_SERVER}-`];

/** GitHub Copilot CLI. */
export function copilotAgent(options: CliAgentOptions = {}): CliAgent {
  return {
    name: 'copilot',
    // Its own sandbox is off by default.
    confinesItself: false,
    logIn: 'run `copilot login`, or set COPILOT_PROVIDER_BASE_URL',
    prepare: (start) => prepare(start, options),
    newReader,
    explain,
    ownTool(tool) {
      const prefix = OWN_TOOLS.find((one) => tool.startsWith(one));
      return prefix && tool.slice(prefix.length);
    },
  };
}

/** Account and service; further variables are named in the configuration. */
const OWN_VARIABLES = [
  ...['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST', 'COPILOT_GH_HOST'],
  ...['COPILOT_MODEL', 'COPILOT_OFFLINE'],
  ...[
    ...['BASE_URL', 'TYPE', 'API_KEY', 'BEARER_TOKEN', 'WIRE_API', 'MODEL_ID', 'WIRE_MODEL', 'HEADERS'],
    ...['AZURE_API_VERSION', 'MAX_PROMPT_TOKENS', 'MAX_OUTPUT_TOKENS'],
  ].map((name) => `COPILOT_PROVIDER_${name}`),
];

/** Tools that act outside the machine, or for later sessions, or that start agents. */
const NEVER = ['task', 'web_fetch', 'web_search', 'store_memory', 'skill'];
const EDITING = ['create', 'edit', 'apply_patch', 'str_replace_editor'];

/** The person's log-in. */
const LOGIN_FILE = 'config.json';

function prepare(start: StartContext, { model, env: names = [] }: CliAgentOptions): ProgramStart {
  const { home, kept, request, prompt, session, hooks, tools } = start;
  const { env, access } = request;
  const persons = env.COPILOT_HOME || join(env.HOME ?? homedir(), '.copilot');
  const sessions = join(kept, 'session-state');
  makeFolder(sessions, 0o700);
  const login = existsSync(join(persons, LOGIN_FILE)) ? [LOGIN_FILE] : [];
  return {
    args: [
      ...['--output-format', 'json', '--allow-all-tools', '--allow-all-paths', '--no-ask-user'],
      ...['--no-auto-update', '--disable-builtin-mcps'],
      // A second wall, which holds without hooks.
      `--excluded-tools=${[...NEVER, ...(access === 'read' ? EDITING : [])].join(',')}`,
      ...(access === 'read' ? ['--deny-tool=write'] : []),
      ...(tools ? [`--additional-mcp-config=${mcpConfig(tools)}`] : []),
      ...(model === undefined ? [] : ['--model', model]),
      ...(session === undefined ? [] : [`--resume=${session}`]),
    ],
    env: {
      ...pickVariables(env, [...OWN_VARIABLES, ...names]),
      COPILOT_HOME: join(home, '.copilot'),
      // It unpacks itself there. Not where an earlier run of an agent could have changed it.
      COPILOT_CACHE_HOME: join(home, 'cache'),
      COPILOT_AUTO_UPDATE: 'false',
    },
    input: prompt,
    files: {
      '.copilot/settings.json': JSON.stringify({
        disableAllHooks: false,
        ...(hooks ? withCopilotHooks({}, hooks) : {}),
      }),
    },
    links: {
      '.copilot/session-state': sessions,
      ...Object.fromEntries(login.map((name) => [`.copilot/${name}`, join(persons, name)])),
    },
  };
}

function mcpConfig(tools: NonNullable<StartContext['tools']>): string {
  return JSON.stringify({ mcpServers: { [TOOL_SERVER]: { type: 'local', tools: ['*'], ...tools } } });
}

const count = z.number().min(0).catch(0).default(0);

const eventSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('assistant.message'),
    agentId: z.string().optional(),
    data: z.looseObject({ content: z.string(), outputTokens: count }),
  }),
  z.looseObject({
    type: z.literal('tool.execution_start'),
    data: z.looseObject({ toolCallId: z.string().min(1), toolName: z.string(), arguments: z.unknown() }),
  }),
  z.looseObject({
    type: z.literal('tool.execution_complete'),
    data: z.looseObject({
      toolCallId: z.string().min(1),
      success: z.boolean(),
      error: z.looseObject({ message: z.string().optional(), code: z.string().optional() }).optional(),
    }),
  }),
  z.looseObject({
    type: z.literal('assistant.usage'),
    data: z.looseObject({ inputTokens: count, outputTokens: count, cacheReadTokens: count }),
  }),
  z.looseObject({ type: z.literal('session.error'), data: z.looseObject({ message: z.string() }) }),
  z.looseObject({ type: z.literal('result'), sessionId: z.string(), exitCode: z.number() }),
]);

/** It starts these itself, without hooks; they only read output or state its intention. */
const WITHOUT_HOOKS: readonly string[] = ['read_bash', 'report_intent'];

/** The stream shows a call before its hook, so it is matched when it has ended. */
function newReader(): (event: unknown) => StreamEvent[] {
  const begun = new Map<string, { tool: string; input: unknown }>();
  return (event) => {
    const parsed = eventSchema.safeParse(event).data;
    switch (parsed?.type) {
      case undefined:
        return mayBeCall(event) ? [{ type: 'called', call: UNREAD }] : [];
      case 'assistant.message':
        return parsed.agentId === undefined && parsed.data.content !== ''
          ? [{ type: 'said', text: parsed.data.content }]
          : [];
      case 'tool.execution_start': {
        const { toolCallId, toolName: tool, arguments: input } = parsed.data;
        begun.set(toolCallId, { tool, input });
        return [{ type: 'did', line: `${tool} ${JSON.stringify(input)}` }];
      }
      case 'tool.execution_complete': {
        const { toolCallId: id, success, error } = parsed.data;
        if (!success && error?.code === 'denied') return [];
        const { tool, input } = begun.get(id) ?? { tool: 'an unknown tool', input: undefined };
        if (WITHOUT_HOOKS.includes(tool)) return [];
        const action = copilotActionId(input);
        const what = `${tool} ${JSON.stringify(input)}`;
        return [
          {
            type: 'called',
            call: { id, what, failed: !success, isOf: (reported) => reported.id === action },
          },
        ];
      }
      case 'assistant.usage': {
        const { inputTokens: input, outputTokens: output, cacheReadTokens: cached } = parsed.data;
        return [{ type: 'used', tokens: { input, cached, output }, total: false }];
      }
      case 'session.error':
        return [{ type: 'failed', why: parsed.data.message }];
      case 'result':
        return [{ type: 'session', id: parsed.sessionId }];
    }
  };
}

/** A call in another form cannot be matched. */
const UNREAD: StreamCall = {
  id: 'unread',
  what: 'a tool call that GuardKit cannot read',
  isOf: () => false,
};

function mayBeCall(event: unknown): boolean {
  const type = z.enum(['tool.execution_start', 'tool.execution_complete']);
  return z.looseObject({ type }).safeParse(event).success;
}

/** The status of the service is in the message. */
function explain(failure: string): FailureMeaning | undefined {
  if (/\b(?:401|402|403)\b|unauthorized|not (?:logged in|authenticated)|no authentication/i.test(failure))
    return 'locked_out';
  if (/\b(?:429|502|503|504|529)\b|rate.?limit|quota/i.test(failure)) return 'rate_limited';
  return /no (?:session|task)|session .*not found/i.test(failure) ? 'session_gone' : undefined;
}
