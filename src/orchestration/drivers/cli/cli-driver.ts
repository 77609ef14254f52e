import { realpathSync } from 'node:fs';
import type { AroundEvent, DrivenRun } from '../../../enforcement/driven/driven-run.ts';
import type { HookEvent } from '../../../enforcement/hooks/hook-event.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { guardkitHome } from '../../../platform/guardkit-home.ts';
import { commandEnvironment } from '../../../platform/processes/command-environment.ts';
import { findProgram } from '../../../platform/processes/find-program.ts';
import {
  type AgentDriver,
  type AgentEnd,
  type AgentRequest,
  type AgentUsage,
  activityLine,
  NO_USAGE,
} from '../agent-driver.ts';
import { agentSandbox } from '../agent-sandbox.ts';
import { promptWithSchema, readAnswer, repairPrompt } from '../structured-answer.ts';
import type { CliAgent, CliAgentOptions, TokenCount } from './cli-agent.ts';
import { CliFolders } from './cli-folders.ts';
import { CallMatcher, type ProgramRun, runProgram } from './cli-run.ts';
import { judgeRequest } from './judge-request.ts';

/** Drives an agent that runs as a program. */
export function cliDriver(agent: CliAgent, { price }: Pick<CliAgentOptions, 'price'> = {}): AgentDriver {
  return {
    name: agent.name,
    asksGuards: true,
    logIn: agent.logIn,
    async run(request) {
      if (request.signal?.aborted) return { end: { type: 'cancelled' }, session: undefined, usage: NO_USAGE };
      const run = new CliSession(agent, requireProgram(agent.name, request), request, price);
      const end = await run.ask();
      await request.guards?.end();
      return { end, session: run.session, usage: run.usage };
    },
  };
}

export function requireProgram(name: string, { env, folder }: Pick<AgentRequest, 'env' | 'folder'>): string {
  const program = findProgram(name, env, folder);
  if (program !== undefined) return program;
  throw new GuardKitError({
    code: 'driver.program-missing',
    kind: 'outside',
    message: `The ${name} driver needs the program ${name}, which is not on the PATH.`,
    hint: 'Install it for the user who runs GuardKit, or choose another driver with --driver.',
  });
}

/** One request to an agent: a start of its program, and a second one if the answer has to be repaired. */
class CliSession {
  readonly #agent: CliAgent;
  readonly #program: string;
  readonly #request: AgentRequest;
  readonly #price: CliAgentOptions['price'];
  readonly #deadline: number;
  session: string | undefined;
  usage: AgentUsage = NO_USAGE;

  constructor(agent: CliAgent, program: string, request: AgentRequest, price: CliAgentOptions['price']) {
    this.#agent = agent;
    this.#program = program;
    this.#request = request;
    this.#price = price;
    this.#deadline = performance.now() + request.timeoutMs;
    this.session = request.session;
  }

  async ask(): Promise<AgentEnd> {
    const { prompt, answerSchema: schema, onActivity } = this.#request;
    const asked = promptWithSchema(prompt, schema);
    let end = await this.#start(asked);
    if (end.type === 'session_gone' && this.session !== undefined) {
      onActivity('its earlier session is gone; starting a new one');
      this.session = undefined;
      end = await this.#start(asked);
    }
    if (end.type === 'session_gone') return { type: 'crashed', why: end.why };
    if (end.type !== 'said') return end;
    if (!schema)
      return end.text === ''
        ? { type: 'unanswered', why: 'it ended without an answer' }
        : { type: 'answered', answer: end.text };
    const read = readAnswer(end.text, schema);
    if (read.ok) return { type: 'answered', answer: read.answer };
    if (this.session === undefined) return { type: 'unanswered', why: read.why };
    onActivity(activityLine('invalid answer, asking once more:', read.why));
    const again = await this.#start(repairPrompt(read.why, schema));
    if (again.type === 'session_gone') return { type: 'unanswered', why: read.why };
    if (again.type !== 'said') return again;
    const repaired = readAnswer(again.text, schema);
    return repaired.ok
      ? { type: 'answered', answer: repaired.answer }
      : { type: 'unanswered', why: repaired.why };
  }

  async #start(prompt: string): Promise<ProgramRun['end']> {
    const { guards, env } = this.#request;
    const dataFolder = guards?.dataFolder ?? guardkitHome(env);
    const request = { ...this.#request, session: this.session };
    const folders = new CliFolders(dataFolder, this.#agent.name, request);
    const matcher = guards && new CallMatcher();
    const door = matcher && (await guards?.openDoor(this.#around(guards, matcher)));
    try {
      const hooks = door && folders.writeHook(dataFolder, this.#agent.name, door.socket);
      const { home, kept } = folders;
      const tools = guards?.tools;
      const start = this.#agent.prepare({ home, kept, hooks, tools, request, prompt, session: this.session });
      const { readOnly, writable } = folders.write(start);
      const sandbox = agentSandbox(request, {
        readOnly: [...readOnly, ...shownProgram(this.#program), ...(door?.shown ?? [])],
        writable,
        hidden: start.hidden ?? [],
        // The model is remote.
        network: 'host',
      });
      const run = await runProgram({
        agent: this.#agent,
        command: this.#program,
        args: start.args,
        env: { ...commandEnvironment(env, { sandboxed: sandbox !== undefined }), ...start.env },
        input: start.input ?? '',
        sandbox,
        request,
        timeoutMs: Math.max(0, this.#deadline - performance.now()),
        matcher,
      });
      this.#count(run, folders);
      return run.end;
    } finally {
      await door?.close();
      folders.remove();
    }
  }

  /** Asks the guards, then the role's permissions, and notes what may run. */
  #around(guards: DrivenRun, matcher: CallMatcher): AroundEvent {
    const { onActivity } = this.#request;
    return async (event, handle) => {
      const answer = await handle(event).catch((error: unknown) => {
        // The hook refuses it.
        if (event.type === 'acting') matcher.refuse(reportedAction(event));
        throw error;
      });
      if (answer.decision !== 'go') onActivity(activityLine('refused:', answer.reason));
      if (event.type !== 'acting') return answer;
      const reported = reportedAction(event);
      const why = answer.decision === 'go' ? judgeRequest(event, this.#request, this.#agent) : answer.reason;
      if (answer.decision === 'go' && why === undefined) matcher.allow(reported);
      else matcher.refuse(reported);
      if (answer.decision !== 'go' || why === undefined) return answer;
      onActivity(activityLine('refused:', why));
      await guards.refuse(event, why);
      return { decision: 'stop', reason: why };
    };
  }

  #count({ session, tokens, isTotal, costUsd }: ProgramRun, folders: CliFolders): void {
    const before = isTotal ? folders.tokensBefore(this.session) : { input: 0, cached: 0, output: 0 };
    const own: TokenCount = {
      input: Math.max(0, tokens.input - before.input),
      cached: Math.max(0, tokens.cached - before.cached),
      output: Math.max(0, tokens.output - before.output),
    };
    if (isTotal && session !== undefined) folders.recordTokens(session, tokens);
    this.session = session ?? this.session;
    const cost = costUsd ?? priceOf(own, this.#price);
    this.usage = {
      inputTokens: this.usage.inputTokens + own.input,
      outputTokens: this.usage.outputTokens + own.output,
      costUsd: cost === null ? this.usage.costUsd : (this.usage.costUsd ?? 0) + cost,
    };
  }
}

function reportedAction({ action: id, tool, request, source }: Extract<HookEvent, { type: 'acting' }>) {
  return { id, tool, request, cwd: source.cwd };
}

function priceOf({ input, cached, output }: TokenCount, price: CliAgentOptions['price']): number | null {
  if (!price) return null;
  const { cached_input = price.input } = price;
  return ((input - cached) * price.input + cached * cached_input + output * price.output) / 1_000_000;
}

/** The sandbox may not show the folder of a program that is installed below a hidden or private one. */
function shownProgram(program: string): string[] {
  const real = realpathSync(program);
  const at = real.indexOf('/node_modules/');
  return [program, at < 0 ? real : real.slice(0, at + '/node_modules'.length)];
}
