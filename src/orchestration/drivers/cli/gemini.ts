import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { contentId } from '../../../enforcement/agents/payload-shapes.ts';
import { withGeminiHooks } from '../../../enforcement/install/wire-gemini.ts';
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
const OWN_TOOL = `mcp_${TOOL_SERVER}_`;

/** Google's Gemini CLI. */
export function geminiAgent(options: CliAgentOptions = {}): CliAgent {
  return {
    name: 'gemini',
    // Its own sandbox needs a container.
    confinesItself: false,
    logIn: 'start `gemini` and type /auth',
    prepare: (start) => prepare(start, options),
    newReader,
    explain,
    ownTool: (tool) => (tool.startsWith(OWN_TOOL) ? tool.slice(OWN_TOOL.length) : undefined),
  };
}

/** Account and service; further variables are named in the configuration. */
const OWN_VARIABLES = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GEMINI_BASE_URL',
  'GOOGLE_VERTEX_BASE_URL',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_GENAI_USE_GCA',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_LOCATION',
];

/** Files of the person's log-in. */
const LOGIN_FILES = ['oauth_creds.json', 'google_accounts.json'];

function prepare(start: StartContext, { model, env: names = [] }: CliAgentOptions): ProgramStart {
  const { home, kept, request, prompt, session } = start;
  const { env, access } = request;
  const persons = join(env.GEMINI_CLI_HOME ?? env.HOME ?? homedir(), '.gemini');
  const sessions = join(kept, 'tmp');
  makeFolder(sessions, 0o700);
  const login = LOGIN_FILES.filter((name) => existsSync(join(persons, name)));
  const policy = 'policy.toml';
  return {
    args: [
      ...['--output-format', 'stream-json', '--approval-mode', 'yolo'],
      // It applies no settings and hooks of the candidate, other than GEMINI_CLI_TRUST_WORKSPACE.
      '--skip-trust',
      ...['--admin-policy', join(home, policy)],
      ...(model === undefined ? [] : ['--model', model]),
      ...(session === undefined ? [] : ['--resume', session]),
    ],
    env: {
      ...pickVariables(env, [...OWN_VARIABLES, ...names]),
      GEMINI_CLI_HOME: home,
      // Otherwise it starts itself once more, with more memory.
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    input: prompt,
    files: {
      '.gemini/settings.json': JSON.stringify(settingsOf(start, accountType(persons, env))),
      [policy]: policyText(access),
    },
    links: {
      '.gemini/tmp': sessions,
      ...Object.fromEntries(login.map((name) => [`.gemini/${name}`, join(persons, name)])),
    },
  };
}

function settingsOf({ hooks, tools }: StartContext, selectedType: string) {
  return {
    security: { auth: { selectedType } },
    general: { disableAutoUpdate: true, disableUpdateNag: true },
    privacy: { usageStatisticsEnabled: false },
    hooksConfig: { enabled: true },
    ...(hooks ? withGeminiHooks({}, hooks) : {}),
    ...(tools ? { mcpServers: { [TOOL_SERVER]: { ...tools, trust: true } } } : {}),
  };
}

const personsSchema = z.looseObject({
  security: z
    .looseObject({ auth: z.looseObject({ selectedType: z.string().optional() }).optional() })
    .optional(),
});

/** The person's kind of account. */
function accountType(folder: string, env: NodeJS.ProcessEnv): string {
  if (env.GEMINI_API_KEY !== undefined) return 'gemini-api-key';
  try {
    const settings = personsSchema.parse(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')));
    return settings.security?.auth?.selectedType ?? 'oauth-personal';
  } catch {
    // Safe: without a log-in, the run ends as locked out.
    return 'oauth-personal';
  }
}

/** Tools that act outside the machine, or for later sessions, or that start agents. */
const NEVER = ['web_fetch', 'google_web_search', 'save_memory', 'invoke_agent'];
const EDITING = ['write_file', 'replace'];

/** A second wall, which holds without hooks. */
function policyText(access: 'read' | 'write'): string {
  return [...NEVER, ...(access === 'read' ? EDITING : [])]
    .map(
      (tool) =>
        `[[rule]]\ntoolName = "${tool}"\ndecision = "deny"\npriority = 999\ndenyMessage = "Not allowed in this run."\n`,
    )
    .join('\n');
}

const count = z.number().min(0).catch(0).default(0);

const eventSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('init'), session_id: z.string() }),
  z.looseObject({ type: z.literal('message'), role: z.string(), content: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    tool_id: z.string(),
    tool_name: z.string(),
    parameters: z.unknown(),
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_id: z.string(),
    status: z.string(),
    error: z.looseObject({ type: z.string().optional() }).optional(),
  }),
  z.looseObject({
    type: z.literal('result'),
    status: z.string(),
    error: z.looseObject({ message: z.string() }).optional(),
    stats: z.looseObject({ input_tokens: count, output_tokens: count, cached: count }).optional(),
  }),
]);

/** Errors of calls that did not run. */
const NOT_RUN: readonly string[] = [
  'policy_violation',
  'tool_not_registered',
  'invalid_tool_params',
  'execution_denied',
];

/** The stream shows a call before its hook, so it is matched when it has ended. */
function newReader(): (event: unknown) => StreamEvent[] {
  const begun = new Map<string, { tool: string; input: unknown }>();
  let said = '';
  return (event) => {
    const parsed = eventSchema.safeParse(event).data;
    switch (parsed?.type) {
      case undefined:
        return unreadResult(event);
      case 'init':
        return [{ type: 'session', id: parsed.session_id }];
      case 'message':
        if (parsed.role !== 'assistant') return [];
        said += parsed.content;
        return [{ type: 'said', text: said }];
      case 'tool_use': {
        said = '';
        const { tool_id, tool_name: tool, parameters: input } = parsed;
        begun.set(tool_id, { tool, input });
        return [{ type: 'did', line: `${tool} ${JSON.stringify(input)}` }];
      }
      case 'tool_result': {
        if (parsed.status !== 'success' && NOT_RUN.includes(parsed.error?.type ?? '')) return [];
        const { tool, input } = begun.get(parsed.tool_id) ?? { tool: 'an unknown tool', input: undefined };
        const id = contentId(tool, input);
        const what = `${tool} ${JSON.stringify(input)}`;
        return [{ type: 'called', call: { id: parsed.tool_id, what, isOf: (action) => action.id === id } }];
      }
      case 'result': {
        const { stats, status, error } = parsed;
        const tokens = stats && {
          input: stats.input_tokens,
          cached: stats.cached,
          output: stats.output_tokens,
        };
        return [
          ...(tokens ? [{ type: 'used' as const, tokens, total: false }] : []),
          ...(status === 'success' ? [] : [{ type: 'failed' as const, why: error?.message ?? status }]),
        ];
      }
    }
  };
}

/** A result in another form cannot be matched. */
function unreadResult(event: unknown): StreamEvent[] {
  const isResult = z.looseObject({ type: z.literal('tool_result') }).safeParse(event).success;
  const what = 'a tool result that GuardKit cannot read';
  return isResult ? [{ type: 'called', call: { id: 'unread', what, isOf: () => false } }] : [];
}

/** An HTTP status as an exit code. */
const exitCodes = (...statuses: number[]) => statuses.map((status) => status % 256);

const LOCKED_OUT = exitCodes(401, 402, 403);
const RATE_LIMITED = exitCodes(429, 502, 503, 504, 529);
/** Its own code for a missing or invalid log-in. */
const NO_LOGIN = 41;
/** Its own code for invalid input, such as an unknown session. */
const BAD_INPUT = 42;

function explain(failure: string, exitCode: number | null): FailureMeaning | undefined {
  if (exitCode === NO_LOGIN || (exitCode !== null && LOCKED_OUT.includes(exitCode))) return 'locked_out';
  if (exitCode !== null && RATE_LIMITED.includes(exitCode)) return 'rate_limited';
  return exitCode === BAD_INPUT && /session/i.test(failure) ? 'session_gone' : undefined;
}
