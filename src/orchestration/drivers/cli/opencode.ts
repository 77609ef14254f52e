import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { pluginText } from '../../../enforcement/install/opencode-plugin.ts';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import type {
  CliAgent,
  CliAgentOptions,
  FailureMeaning,
  ProgramStart,
  StartContext,
  StreamEvent,
} from './cli-agent.ts';
import { pickVariables } from './cli-agent.ts';

const TOOL_SERVER = 'guardkit';
const OWN_TOOL = `${TOOL_SERVER}_`;

export interface OpencodeOptions extends CliAgentOptions {
  /** Providers as in opencode.json; OpenCode's own settings are not read. */
  provider?: Record<string, unknown> | undefined;
}

/** OpenCode. */
export function opencodeAgent(options: OpencodeOptions = {}): CliAgent {
  return {
    name: 'opencode',
    confinesItself: false,
    logIn: 'run `opencode auth login`',
    prepare: (start) => prepare(start, options),
    newReader,
    explain,
    ownTool: (tool) => (tool.startsWith(OWN_TOOL) ? tool.slice(OWN_TOOL.length) : undefined),
  };
}

/** Account and service; further variables are named in the configuration. */
const OWN_VARIABLES = [
  ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ...['OPENROUTER_API_KEY', 'OPENCODE_API_KEY', 'OPENCODE_DISABLE_MODELS_FETCH', 'OPENCODE_MODELS_PATH'],
];

/** The folders that OpenCode finds by these variables; its commands get the person's own values. */
const FOLDERS = {
  XDG_CONFIG_HOME: 'config',
  XDG_DATA_HOME: 'data',
  XDG_STATE_HOME: 'state',
  XDG_CACHE_HOME: 'cache',
} as const;

function prepare(start: StartContext, options: OpencodeOptions): ProgramStart {
  const { home, kept, hooks, request, prompt, session } = start;
  const { model, env: names = [] } = options;
  const { env, access } = request;
  const sessions = join(kept, 'sessions');
  makeFolder(sessions, 0o700);
  const login = join(env.XDG_DATA_HOME || join(env.HOME ?? homedir(), '.local/share'), 'opencode/auth.json');
  const folder = join(FOLDERS.XDG_CONFIG_HOME, 'opencode');
  const plugin = join(folder, 'guardkit.js');
  const persons = Object.fromEntries(Object.keys(FOLDERS).map((name) => [name, env[name] ?? '']));
  return {
    args: [
      ...['run', '--format', 'json', '--title', 'GuardKit'],
      ...(model === undefined ? [] : ['--model', model]),
      ...(session === undefined ? [] : ['--session', session]),
    ],
    env: {
      ...pickVariables(env, [...OWN_VARIABLES, ...names]),
      ...Object.fromEntries(Object.entries(FOLDERS).map(([name, part]) => [name, join(home, part)])),
      // Where it looks for .opencode.
      OPENCODE_TEST_HOME: home,
      OPENCODE_DB: join(home, 'sessions', 'opencode.db'),
      // It applies no settings and plugins of the candidate.
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
      OPENCODE_DISABLE_CLAUDE_CODE: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_PERMISSION: JSON.stringify(permissions(access)),
    },
    input: prompt,
    files: {
      [join(folder, 'opencode.json')]: JSON.stringify(
        settingsOf(start, options, hooks && pathToFileURL(join(home, plugin)).href),
      ),
      ...(hooks ? { [plugin]: pluginText({ commands: hooks, wrapperIn: undefined, env: persons }) } : {}),
      // Otherwise OpenCode waits for npm to install a package that plugins may import. GuardKit's does not.
      [join(folder, 'package-lock.json')]: PACKAGE_LOCK,
      [join(folder, 'node_modules', '.keep')]: '',
    },
    links: {
      sessions,
      ...(existsSync(login) ? { [join(FOLDERS.XDG_DATA_HOME, 'opencode/auth.json')]: login } : {}),
    },
  };
}

const PACKAGE_LOCK = JSON.stringify({ packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } } });

function settingsOf(
  { tools }: StartContext,
  { model, provider }: OpencodeOptions,
  plugin: string | undefined,
) {
  return {
    ...(model === undefined ? {} : { model, small_model: model }),
    ...(provider === undefined ? {} : { provider }),
    autoupdate: false,
    share: 'disabled',
    // They act without a call of the model.
    formatter: false,
    lsp: false,
    snapshot: false,
    ...(plugin === undefined ? {} : { plugin: [plugin] }),
    ...(tools
      ? {
          mcp: {
            [TOOL_SERVER]: {
              type: 'local',
              command: [tools.command, ...tools.args],
              environment: tools.env,
              enabled: true,
            },
          },
        }
      : {}),
  };
}

/** A second wall, which holds without the plugin. A question would be answered with no. */
function permissions(access: 'read' | 'write'): Record<string, string> {
  return {
    '*': 'allow',
    webfetch: 'deny',
    websearch: 'deny',
    task: 'deny',
    question: 'deny',
    ...(access === 'read' ? { edit: 'deny' } : {}),
  };
}

const count = z.number().min(0).catch(0).default(0);

const stateSchema = z.looseObject({ status: z.string(), input: z.unknown() });
const eventSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), part: z.looseObject({ text: z.string() }) }),
  z.looseObject({
    type: z.literal('tool_use'),
    part: z.looseObject({ id: z.string(), tool: z.string(), callID: z.string(), state: stateSchema }),
  }),
  z.looseObject({
    type: z.literal('step_finish'),
    part: z.looseObject({
      cost: z.number().min(0).optional().catch(undefined),
      tokens: z.looseObject({
        input: count,
        output: count,
        reasoning: count,
        cache: z.looseObject({ read: count, write: count }).catch({ read: 0, write: 0 }),
      }),
    }),
  }),
  z.looseObject({ type: z.literal('error'), error: z.unknown() }),
]);
const sessionSchema = z.looseObject({ sessionID: z.string() });

/** The stream shows a call when it has ended, with the id that the plugin reported. */
function newReader(): (event: unknown) => StreamEvent[] {
  let isKnown = false;
  return (event) => {
    const session = sessionSchema.safeParse(event).data?.sessionID;
    const first: StreamEvent[] = isKnown || session === undefined ? [] : [{ type: 'session', id: session }];
    isKnown ||= session !== undefined;
    return [...first, ...read(event)];
  };
}

function read(event: unknown): StreamEvent[] {
  const parsed = eventSchema.safeParse(event).data;
  switch (parsed?.type) {
    case undefined:
      return unreadCall(event);
    case 'text':
      return [{ type: 'said', text: parsed.part.text }];
    case 'tool_use': {
      const { id, tool, callID, state } = parsed.part;
      const what = `${tool} ${JSON.stringify(state.input)}`;
      const isOf = (action: { id: string; tool: string }) => action.id === callID && action.tool === tool;
      return [
        { type: 'did', line: what },
        { type: 'said', text: '' },
        { type: 'called', call: { id, what, isOf, failed: state.status === 'error' } },
      ];
    }
    case 'step_finish': {
      const { tokens, cost } = parsed.part;
      const { read: cached, write } = tokens.cache;
      return [
        {
          type: 'used',
          tokens: {
            input: tokens.input + cached + write,
            cached,
            output: tokens.output + tokens.reasoning,
          },
          // Zero without prices.
          ...(cost ? { costUsd: cost } : {}),
          total: false,
        },
      ];
    }
    case 'error':
      return [{ type: 'failed', why: JSON.stringify(parsed.error) ?? 'error' }];
  }
}

/** A call in another form cannot be matched. */
function unreadCall(event: unknown): StreamEvent[] {
  const isCall = z.looseObject({ type: z.literal('tool_use') }).safeParse(event).success;
  const what = 'a tool call that GuardKit cannot read';
  return isCall ? [{ type: 'called', call: { id: 'unread', what, isOf: () => false } }] : [];
}

const errorSchema = z.looseObject({
  name: z.string(),
  data: z.looseObject({ statusCode: z.number().optional() }).optional(),
});

function explain(failure: string): FailureMeaning | undefined {
  if (failure.includes('Session not found')) return 'session_gone';
  const { name, data } = errorOf(failure) ?? {};
  const status = data?.statusCode;
  if (name === 'ProviderAuthError' || (status !== undefined && [401, 402, 403].includes(status)))
    return 'locked_out';
  return status !== undefined && [429, 502, 503, 504, 529].includes(status) ? 'rate_limited' : undefined;
}

function errorOf(failure: string) {
  try {
    return errorSchema.safeParse(JSON.parse(failure)).data;
  } catch {
    // Safe: other failures are texts.
    return undefined;
  }
}
