import { randomUUID } from 'node:crypto';
import { endMarked, RUN_VARIABLE, runMarker } from '../../../platform/processes/end-processes.ts';
import { type AgentEnd, type AgentRequest, activityLine } from '../agent-driver.ts';
import { AgentProcess } from '../agent-process.ts';
import type { AgentSandbox } from '../agent-sandbox.ts';
import type { CliAgent, ReportedAction, StreamCall, StreamEvent, TokenCount } from './cli-agent.ts';
import { EventLines } from './event-lines.ts';

/** How one start of the program ended. Only `said` has a message. */
export type ProgramEnd =
  | Exclude<AgentEnd, { type: 'answered' }>
  | { type: 'said'; text: string }
  | { type: 'session_gone'; why: string };

export interface ProgramRun {
  end: ProgramEnd;
  session: string | undefined;
  tokens: TokenCount;
  /** The tokens are those of the whole session. */
  isTotal: boolean;
  /** Null if the agent does not report it. */
  costUsd: number | null;
}

export interface ProgramContext {
  agent: CliAgent;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  input: string;
  sandbox: AgentSandbox | undefined;
  request: AgentRequest;
  timeoutMs: number;
  /** Undefined if the run is not guarded. */
  matcher: CallMatcher | undefined;
}

/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Starts the agent's program, follows its events and ends everything that it started. */
export async function runProgram(context: ProgramContext): Promise<ProgramRun> {
  const { agent, command, args, env, input, sandbox, request, timeoutMs, matcher } = context;
  const started = new AgentProcess(sandbox);
  const runId = randomUUID();
  const seen = new SeenEvents(agent, matcher, request.onActivity);
  let stopped: ProgramEnd | undefined;
  const stop = (end: ProgramEnd) => {
    if (stopped) return;
    stopped = end;
    void started.end();
  };
  const cancel = () => stop({ type: 'cancelled' });
  const timer = setTimeout(
    () => stop({ type: 'timed_out', why: `no answer within ${Math.round(request.timeoutMs / 100) / 10} s` }),
    Math.min(timeoutMs, MAX_TIMER_MS),
  );
  const lines = new EventLines(
    (event) => {
      const why = seen.see(event);
      if (why !== undefined) stop({ type: 'unguarded', why });
    },
    (why) => stop(matcher ? { type: 'unguarded', why } : { type: 'crashed', why }),
  );
  request.signal?.addEventListener('abort', cancel, { once: true });
  let exit: Exit = { code: null, signal: null };
  try {
    const child = started.start({
      command,
      args,
      cwd: request.folder,
      env: { ...env, [RUN_VARIABLE]: runMarker(runId) },
    });
    if (request.guards) request.guards.agentPid = started.pid;
    if (request.signal?.aborted) cancel();
    child.stdout.on('data', (chunk: Buffer) => {
      if (!stopped) lines.add(chunk);
    });
    child.stdin.end(input);
    exit = await exitOf(child);
    if (!stopped) lines.end();
  } catch (error) {
    stop({ type: 'crashed', why: error instanceof Error ? error.message : String(error) });
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', cancel);
    await started.end();
    await endMarked(runId);
  }
  const { session, tokens, isTotal, costUsd } = seen;
  return { end: stopped ?? seen.end(exit, started.errors), session, tokens, isTotal, costUsd };
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that the agent leaves behind may keep the output open, so the exit counts, with a moment for the rest. */
function exitOf(child: ReturnType<AgentProcess['start']>): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      const drained = setTimeout(() => resolve({ code, signal }), DRAIN_MS);
      child.on('close', () => {
        clearTimeout(drained);
        resolve({ code, signal });
      });
    });
  });
}

const DRAIN_MS = 1000;

/** The events of one start, summed up. */
class SeenEvents {
  readonly #agent: CliAgent;
  readonly #matcher: CallMatcher | undefined;
  readonly #onActivity: (line: string) => void;
  readonly #read: (event: unknown) => StreamEvent[];
  #said = '';
  #failure: string | undefined;
  session: string | undefined;
  tokens: TokenCount = { input: 0, cached: 0, output: 0 };
  isTotal = false;
  costUsd: number | null = null;

  constructor(agent: CliAgent, matcher: CallMatcher | undefined, onActivity: (line: string) => void) {
    this.#agent = agent;
    this.#matcher = matcher;
    this.#onActivity = onActivity;
    this.#read = agent.newReader();
  }

  /** Returns why the run is not guarded, if it is not. */
  see(event: unknown): string | undefined {
    for (const one of this.#read(event)) {
      switch (one.type) {
        case 'session':
          this.session = one.id;
          break;
        case 'said':
          this.#said = one.text;
          break;
        case 'failed':
          this.#failure = one.why;
          break;
        case 'did':
          this.#onActivity(activityLine(one.line));
          break;
        case 'used':
          this.#use(one);
          break;
        case 'called':
          if (this.#matcher?.match(one.call) === false)
            return `no hook reported this action before it ran: ${one.call.what.slice(0, 200)}`;
      }
    }
    return undefined;
  }

  #use({ tokens, costUsd, total }: Extract<StreamEvent, { type: 'used' }>): void {
    this.isTotal = total;
    const { input, cached, output } = total ? { input: 0, cached: 0, output: 0 } : this.tokens;
    this.tokens = {
      input: input + tokens.input,
      cached: cached + tokens.cached,
      output: output + tokens.output,
    };
    if (costUsd !== undefined) this.costUsd = (this.costUsd ?? 0) + costUsd;
  }

  /** How the program ended, if it was not stopped. */
  end({ code, signal }: Exit, errors: string): ProgramEnd {
    const failure = this.#failure ?? (code === 0 ? undefined : errors);
    if (failure === undefined) return { type: 'said', text: this.#said.trim() };
    const how = signal === null ? `exit code ${code}` : `ended by ${signal}`;
    const why = failure.trim() === '' ? how : failure.trim().slice(-1000);
    switch (this.#agent.explain(why, code)) {
      case 'locked_out':
        return { type: 'locked_out', why };
      case 'rate_limited':
        return { type: 'rate_limited', why, resetsAt: undefined };
      case 'session_gone':
        return { type: 'session_gone', why };
      case undefined:
        return { type: 'crashed', why };
    }
  }
}

/**
 * Matches the calls in an agent's event stream with the actions that its hooks reported. A call without an allowed action
 * ran without a hook: the hooks are missing, not trusted or switched off.
 */
export class CallMatcher {
  readonly #allowed: ReportedAction[] = [];
  readonly #refused: ReportedAction[] = [];
  readonly #matched = new Set<string>();

  allow(action: ReportedAction): void {
    this.#allowed.push(action);
  }

  refuse(action: ReportedAction): void {
    this.#refused.push(action);
  }

  /** Whether a hook allowed the call, or refused it before it failed. Each action vouches for one call. */
  match(call: StreamCall): boolean {
    if (this.#matched.has(call.id)) return true;
    for (const actions of [this.#allowed, ...(call.failed ? [this.#refused] : [])]) {
      const at = actions.findIndex((action) => call.isOf(action));
      if (at < 0) continue;
      actions.splice(at, 1);
      this.#matched.add(call.id);
      return true;
    }
    return false;
  }
}
