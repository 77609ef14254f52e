import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { isQwenCall } from '../../../enforcement/agents/qwen.ts';
import { withQwenHooks } from '../../../enforcement/install/wire-qwen.ts';
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
const OWN_TOOL = `mcp__${TOOL_SERVER}__`;

/** Qwen Code. */
export function qwenAgent(options: CliAgentOptions = {}): CliAgent {
  return {
    name: 'qwen',
    // Its own sandbox is off by default, and does not confine its edits.
    confinesItself: false,
    logIn: 'start `qwen` and type /auth, or set OPENAI_API_KEY',
    prepare: (start) => prepare(start, options),
    newReader,
    explain,
    ownTool: (tool) => (tool.startsWith(OWN_TOOL) ? tool.slice(OWN_TOOL.length) : undefined),
  };
}

/** Account and service; further variables are named in the configuration. */
const OWN_VARIABLES = [
  ...['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'QWEN_MODEL'],
  ...['DASHSCOPE_API_KEY', 'BAILIAN_CODING_PLAN_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY'],
];

/** Files of the person's log-in. */
const LOGIN_FILES = ['oauth_creds.json'];

function prepare(start: StartContext, { model, env: names = [] }: CliAgentOptions): ProgramStart {
  const { home, kept, request, prompt, session, tools } = start;
  const { env } = request;
  const persons = env.QWEN_HOME || join(env.HOME ?? homedir(), '.qwen');
  const sessions = join(kept, 'runtime');
  makeFolder(sessions, 0o700);
  const login = LOGIN_FILES.filter((name) => existsSync(join(persons, name)));
  return {
    args: [
      ...['--output-format', 'stream-json', '--approval-mode', 'yolo'],
      // Otherwise it starts the servers of the candidate. Without tools, it gets a name that no server has.
      ...['--allowed-mcp-server-names', tools ? TOOL_SERVER : randomUUID()],
      ...(model === undefined ? [] : ['--model', model]),
      ...(session === undefined ? [] : ['--resume', session]),
    ],
    env: {
      ...pickVariables(env, [...OWN_VARIABLES, ...names]),
      QWEN_HOME: join(home, '.qwen'),
      QWEN_RUNTIME_DIR: join(home, 'runtime'),
      // They take precedence over the settings of the candidate.
      QWEN_CODE_SYSTEM_SETTINGS_PATH: join(home, 'system.json'),
      QWEN_CODE_SYSTEM_DEFAULTS_PATH: join(home, 'none.json'),
      QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
    },
    input: prompt,
    files: {
      '.qwen/settings.json': JSON.stringify(accountOf(persons, env)),
      'system.json': JSON.stringify(settingsOf(start)),
    },
    links: {
      runtime: sessions,
      ...Object.fromEntries(login.map((name) => [`.qwen/${name}`, join(persons, name)])),
    },
  };
}

/** Tools that act outside the machine, or later, or that start agents. */
const NEVER = [
  ...['web_fetch', 'web_search', 'agent', 'send_message', 'save_memory', 'skill', 'monitor'],
  ...['enter_worktree', 'exit_worktree', 'cron_create', 'loop_wakeup', 'record_artifact'],
];
const EDITING = ['write_file', 'edit', 'notebook_edit'];

const RETRIES = { maxRetries: 2, retryInitialDelayMs: 1000, retryMaxDelayMs: 5000 };

function settingsOf({ hooks, tools, request }: StartContext) {
  return {
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    security: { folderTrust: { enabled: false } },
    // Otherwise it writes memories for later sessions, with requests of its own.
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    // Otherwise it waits for hours at a rate limit, where GuardKit would wait or end the run.
    model: { generationConfig: RETRIES },
    disableAllHooks: false,
    // A second wall, which holds without hooks.
    permissions: { deny: [...NEVER, ...(request.access === 'read' ? EDITING : [])] },
    ...(hooks ? withQwenHooks({}, hooks) : {}),
    ...(tools ? { mcpServers: { [TOOL_SERVER]: { ...tools, trust: true } } } : {}),
  };
}

const personsSchema = z.looseObject({
  security: z
    .looseObject({
      auth: z
        .object({
          selectedType: z.string().optional(),
          apiKey: z.string().optional(),
          baseUrl: z.string().optional(),
        })
        .optional(),
    })
    .optional(),
  modelProviders: z.unknown().optional(),
  model: z.looseObject({ name: z.string().optional() }).optional(),
  env: z.record(z.string(), z.string()).optional(),
});

/** The person's account and model, without the other settings. */
function accountOf(folder: string, env: NodeJS.ProcessEnv) {
  const fallback = { security: { auth: { selectedType: 'openai' } } };
  try {
    const read = personsSchema.parse(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')));
    const { modelProviders, model, env: variables } = read;
    const auth = read.security?.auth;
    return {
      security: {
        auth:
          env.OPENAI_API_KEY === undefined ? { selectedType: 'openai', ...auth } : { selectedType: 'openai' },
      },
      ...(modelProviders === undefined ? {} : { modelProviders }),
      ...(model?.name === undefined ? {} : { model: { name: model.name } }),
      ...(variables === undefined ? {} : { env: variables }),
    };
  } catch {
    // Safe: without an account, the run ends as locked out.
    return fallback;
  }
}

const count = z.number().min(0).catch(0).default(0);
const usage = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
});
const block = z.looseObject({ type: z.string() });

const eventSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('system'), subtype: z.string(), session_id: z.string() }),
  z.looseObject({
    type: z.literal('assistant'),
    message: z.looseObject({ content: z.array(block) }),
  }),
  z.looseObject({
    type: z.literal('user'),
    message: z.looseObject({ content: z.union([z.string(), z.array(block)]) }),
  }),
  z.looseObject({
    type: z.literal('result'),
    is_error: z.boolean(),
    error: z.looseObject({ message: z.string() }).optional(),
    usage: usage.optional(),
  }),
]);

const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().min(1),
  name: z.string(),
  input: z.unknown(),
});
const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1),
  is_error: z.boolean().default(false),
});
const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });

/** Tools that change nothing if they report an error. Qwen Code checks the input of a tool before it asks hooks. */
const HARMLESS_FAILURES: readonly string[] = [
  ...['write_file', 'edit', 'notebook_edit', 'read_file', 'glob', 'grep_search', 'list_directory'],
  ...['tool_search', 'todo_write', ...NEVER],
];

/** The stream shows a call before its hook, so it is matched when it has ended. */
function newReader(): (event: unknown) => StreamEvent[] {
  const begun = new Map<string, { tool: string; input: unknown }>();
  const ended = (part: object): StreamEvent[] => {
    const result = toolResult.safeParse(part).data;
    if (result === undefined) return [{ type: 'called', call: UNREAD }];
    const { tool_use_id: id, is_error: failed } = result;
    const { tool, input } = begun.get(id) ?? { tool: 'an unknown tool', input: undefined };
    if (failed && HARMLESS_FAILURES.includes(tool)) return [];
    const what = `${tool} ${JSON.stringify(input)}`;
    return [{ type: 'called', call: { id, what, failed, isOf: (action) => isQwenCall(action.id, id) } }];
  };
  return (event) => {
    const parsed = eventSchema.safeParse(event).data;
    switch (parsed?.type) {
      case undefined:
        return mayBeCall(event) ? [{ type: 'called', call: UNREAD }] : [];
      case 'system':
        return parsed.subtype === 'init' ? [{ type: 'session', id: parsed.session_id }] : [];
      case 'assistant':
        return parsed.message.content.flatMap((part): StreamEvent[] => {
          const text = textBlock.safeParse(part).data;
          if (text) return [{ type: 'said', text: text.text }];
          if (part.type !== 'tool_use') return [];
          const call = toolUse.safeParse(part).data;
          if (call === undefined) return [{ type: 'called', call: UNREAD }];
          begun.set(call.id, { tool: call.name, input: call.input });
          return [{ type: 'did', line: `${call.name} ${JSON.stringify(call.input)}` }];
        });
      case 'user': {
        const { content } = parsed.message;
        if (typeof content === 'string') return [];
        return content.flatMap((part) => (part.type === 'tool_result' ? ended(part) : []));
      }
      case 'result': {
        const { usage: used, is_error: failed, error } = parsed;
        const tokens = used && {
          input: used.input_tokens,
          cached: used.cache_read_input_tokens,
          output: used.output_tokens,
        };
        return [
          ...(tokens ? [{ type: 'used' as const, tokens, total: false }] : []),
          ...(failed ? [{ type: 'failed' as const, why: error?.message ?? 'it reported a failure' }] : []),
        ];
      }
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
  return z.looseObject({ type: z.enum(['assistant', 'user']) }).safeParse(event).success;
}

/** The status of the service is in the message. */
function explain(failure: string): FailureMeaning | undefined {
  if (/\b(?:401|402|403)\b|unauthorized|(?:invalid|incorrect|missing) api.?key|no auth/i.test(failure))
    return 'locked_out';
  if (/\b(?:429|502|503|504|529)\b|rate.?limit|quota|overloaded/i.test(failure)) return 'rate_limited';
  return /no (?:saved )?session|session .*not found/i.test(failure) ? 'session_gone' : undefined;
}
