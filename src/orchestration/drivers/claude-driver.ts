import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { commandEnvironment } from '../../platform/processes/command-environment.ts';
import { endMarked, RUN_VARIABLE, runMarker } from '../../platform/processes/end-processes.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';
import {
  type AgentDriver,
  type AgentEnd,
  type AgentRequest,
  type AgentResult,
  NO_USAGE,
} from './agent-driver.ts';
import { AgentProcess } from './agent-process.ts';
import { agentSandbox } from './agent-sandbox.ts';
import { claudeHooks } from './claude-hooks.ts';
import { ClaudeRun } from './claude-run.ts';
import { claudeTools, TOOL_SERVER } from './claude-tools.ts';
import { type ClaudeSdk, loadClaudeSdk } from './load-claude-sdk.ts';

export interface ClaudeDriverOptions {
  /** Default: Claude Code's own. */
  model?: string;
  /** Limit of model calls in one run. */
  maxTurns?: number;
  load?: () => Promise<ClaudeSdk>;
}

const MAX_SDK_TURNS = 300;
/** How long the SDK may take to end its processes after an abort; then they are killed. */
const GRACE_MS = 4000;
/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Claude Code through its Agent SDK, in process. */
export function claudeDriver({
  model,
  maxTurns = MAX_SDK_TURNS,
  load = loadClaudeSdk,
}: ClaudeDriverOptions = {}): AgentDriver {
  return {
    name: 'claude',
    asksGuards: true,
    logIn: 'start `claude` and type /login, or set ANTHROPIC_API_KEY',
    async run(request) {
      if (request.signal?.aborted) return { end: { type: 'cancelled' }, session: undefined, usage: NO_USAGE };
      const sdk = await load();
      const run = await runOnce(sdk, request, { model, maxTurns });
      if (!run.sessionIsGone) return run.result;
      request.onActivity('its earlier session is gone; starting a new one');
      return (await runOnce(sdk, { ...request, session: undefined }, { model, maxTurns })).result;
    },
  };
}

async function runOnce(
  sdk: ClaudeSdk,
  request: AgentRequest,
  settings: Pick<Options, 'model' | 'maxTurns'>,
): Promise<{ result: AgentResult; sessionIsGone: boolean }> {
  const tools = request.guards?.tools;
  // In a sandbox the tool server forwards every call to a broker outside.
  const door = request.sandbox && tools ? await request.guards?.openDoor() : undefined;
  const access = request.sandbox ? claudeAccess(request.env) : {};
  const sandbox = agentSandbox(request, {
    ...access,
    readOnly: [...(access.readOnly ?? []), ...(door?.shown ?? [])],
  });
  const started = new AgentProcess(sandbox);
  const runId = randomUUID();
  const seen = new ClaudeRun({ onActivity: request.onActivity, resumed: request.session !== undefined });
  const abortController = new AbortController();
  let stopped: AgentEnd | undefined;
  let force: NodeJS.Timeout | undefined;
  let forced: Promise<void> | undefined;
  const endProcesses = async () => {
    await started.end();
    await endMarked(runId);
  };
  const stop = (end: AgentEnd) => {
    if (stopped) return;
    stopped = end;
    abortController.abort();
    force = setTimeout(() => {
      forced = endProcesses();
    }, GRACE_MS);
  };
  const cancel = () => stop({ type: 'cancelled' });
  const timeout = setTimeout(
    () => stop({ type: 'timed_out', why: `no answer within ${Math.round(request.timeoutMs / 100) / 10} s` }),
    Math.min(request.timeoutMs, MAX_TIMER_MS),
  );
  request.signal?.addEventListener('abort', cancel, { once: true });
  if (request.signal?.aborted) cancel();

  let failure = '';
  try {
    const messages = sdk.query({
      prompt: request.prompt,
      options: {
        ...optionsFor(request),
        ...(tools ? { mcpServers: { [TOOL_SERVER]: { type: 'stdio', alwaysLoad: true, ...tools } } } : {}),
        ...settings,
        abortController,
        env: {
          ...claudeEnvironment(request.env, { sandboxed: sandbox !== undefined }),
          [RUN_VARIABLE]: runMarker(runId),
        },
        spawnClaudeCodeProcess: (options) => {
          const child = started.start(options);
          if (request.guards) request.guards.agentPid = started.pid;
          return child;
        },
      },
    });
    for await (const message of messages) {
      seen.see(message);
      if (seen.hopeless !== undefined) stop({ type: 'locked_out', why: seen.hopeless });
    }
  } catch (error) {
    // The SDK also throws after a result with an error; the result has more detail.
    failure = [error instanceof Error ? error.message : String(error), started.errors]
      .filter(Boolean)
      .join('; ');
  } finally {
    clearTimeout(timeout);
    clearTimeout(force);
    request.signal?.removeEventListener('abort', cancel);
    await forced;
    await endProcesses();
    await door?.close();
  }
  await request.guards?.end();
  const end = stopped ?? seen.end({ bySchema: request.answerSchema !== undefined, failure });
  return {
    result: { end, session: seen.session ?? request.session, usage: seen.usage },
    sessionIsGone: seen.sessionIsGone,
  };
}

function optionsFor(request: AgentRequest): Options {
  const { access, folder, answerSchema, session, budgetUsd } = request;
  return {
    cwd: folder,
    systemPrompt: { type: 'preset', preset: 'claude_code' },
    // No settings: the candidate can write the project's, and the person's do not belong to the task.
    settingSources: [],
    strictMcpConfig: true,
    // The prompt quotes agents and files; a slash or an @ in it is not a command.
    verbatimPrompts: true,
    tools: claudeTools(access),
    permissionMode: 'dontAsk',
    permissionPrompts: 'none',
    hooks: claudeHooks(request),
    ...(answerSchema ? { outputFormat: { type: 'json_schema', schema: withoutDialect(answerSchema) } } : {}),
    ...(session ? { resume: session } : {}),
    ...(budgetUsd === undefined ? {} : { maxBudgetUsd: budgetUsd }),
  };
}

/** Claude Code does not start with a schema that names a dialect it does not support. */
function withoutDialect(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}

/**
 * Access to the person's Claude Code files: sessions and login are writable, the rest is read-only. A setting or hook
 * written by an agent would run in the person's next session, outside any sandbox.
 */
export function claudeAccess(env: NodeJS.ProcessEnv): Partial<SandboxPolicy> {
  const home = env.HOME ?? homedir();
  const config = env.CLAUDE_CONFIG_DIR ?? join(home, '.claude');
  const sessions = join(config, 'projects');
  makeFolder(sessions, 0o700);
  const login = join(config, '.credentials.json');
  return {
    writable: [sessions, ...(existsSync(login) ? [login] : [])],
    readOnly: [config, join(home, '.claude.json')],
    // The model is remote.
    network: 'host',
  };
}

/** Variables for Claude Code beyond those of every command: account, service, settings. */
const OWN = /^(?:ANTHROPIC_|CLAUDE_CODE_|CLAUDE_CONFIG_DIR$|DISABLE_[A-Z_]+$|API_TIMEOUT_MS$)/;

/** Credentials of other model providers, passed only if that provider is chosen. */
const SERVICES: readonly { chosenBy: string; names: RegExp }[] = [
  { chosenBy: 'CLAUDE_CODE_USE_BEDROCK', names: /^AWS_/ },
  { chosenBy: 'CLAUDE_CODE_USE_VERTEX', names: /^(?:GOOGLE_|CLOUDSDK_|CLOUD_ML_REGION$|VERTEX_)/ },
  { chosenBy: 'CLAUDE_CODE_USE_FOUNDRY', names: /^AZURE_/ },
];

/**
 * Variables of an outer Claude Code that GuardKit may run in. SUBPROCESS_ENV_SCRUB would make the inner one write empty
 * files into the worktree and ignore the permission mode.
 */
const NOT_HANDED_ON =
  /^(?:CLAUDECODE|CLAUDE_CODE_(?:ENTRYPOINT|SSE_PORT|SESSION_.*|REMOTE.*|RESUME_.*|SUBPROCESS_ENV_SCRUB)|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE)$/;

/** A command's environment plus what Claude Code needs to reach its model. */
export function claudeEnvironment(
  base: NodeJS.ProcessEnv,
  { sandboxed }: { sandboxed: boolean },
): NodeJS.ProcessEnv {
  const services = SERVICES.filter(({ chosenBy }) => base[chosenBy]);
  const own = Object.entries(base).filter(
    ([name, value]) =>
      value !== undefined && (OWN.test(name) || services.some(({ names }) => names.test(name))),
  );
  const all = Object.entries({
    ...commandEnvironment(base, { sandboxed }),
    ...Object.fromEntries(own),
    // Memory of the person's other sessions is not part of the task.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_AGENT_SDK_CLIENT_APP: 'guardkit',
  });
  return Object.fromEntries(all.filter(([name]) => !NOT_HANDED_ON.test(name)));
}
