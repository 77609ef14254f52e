import { homedir } from 'node:os';
import { join } from 'node:path';
import { commandEnvironment } from '../../platform/processes/command-environment.ts';
import { describeExit } from '../../platform/processes/process-failures.ts';
import { type CommandResult, runCommand } from '../../platform/processes/run-command.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';
import {
  type AgentDriver,
  type AgentEnd,
  type AgentRequest,
  activityLine,
  NO_USAGE,
} from './agent-driver.ts';
import { agentSandbox } from './agent-sandbox.ts';
import { lastJsonObject, OutputLines } from './command-output.ts';
import { promptWithSchema, requiredKeys } from './structured-answer.ts';

/** An agent's command line from the project's configuration. */
export interface CommandDriverOptions {
  /** A shell command that reads its prompt from stdin and ends by printing its answer. */
  run: string;
  /** Extra environment variables for the agent, such as API keys. */
  env?: readonly string[];
  /** Extra writable paths, such as the agent's login folder; `~/` is the person's home. */
  writable?: readonly string[];
  /** Default: `host`, to reach a remote model. */
  network?: SandboxPolicy['network'];
}

/** EX_TEMPFAIL of `sysexits.h`: a wrapper uses it to report a rate limit. */
const EXIT_TRY_LATER = 75;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
const WHY_CHARACTERS = 1000;

/** Drives any agent that can be started from a shell. */
export function commandDriver({
  run,
  env = [],
  writable = [],
  network = 'host',
}: CommandDriverOptions): AgentDriver {
  const alsoWrites = ({ HOME = homedir() }: NodeJS.ProcessEnv) =>
    writable.map((path) => (path.startsWith('~/') ? join(HOME, path.slice(2)) : path));
  return {
    name: 'command',
    alsoWrites,
    async run(request) {
      if (request.signal?.aborted) return { end: { type: 'cancelled' }, session: undefined, usage: NO_USAGE };
      const { guards } = request;
      const door = request.sandbox ? await guards?.openDoor() : undefined;
      const sandbox = agentSandbox(request, {
        writable: alsoWrites(request.env),
        readOnly: door?.shown ?? [],
        network,
      });
      request.onActivity(activityLine('run', run));
      const lines = new OutputLines((line) => request.onActivity(activityLine(line)));
      const result = await runCommand(run, {
        cwd: request.folder,
        env: {
          ...commandEnvironment(request.env, { sandboxed: sandbox !== undefined }),
          ...pick(request.env, env),
          // The agent's own hooks, if the project has any, ask GuardKit there.
          ...(guards ? { GUARDKIT_HOME: guards.dataFolder } : {}),
          GUARDKIT_ROLE: request.role,
          GUARDKIT_TASK: request.taskId,
          GUARDKIT_TURN: String(request.turn),
        },
        timeoutMs: request.timeoutMs,
        maxOutputBytes: MAX_OUTPUT_BYTES,
        input: promptWithSchema(request.prompt, request.answerSchema),
        onOutput: (chunk) => lines.add(chunk),
        ...(sandbox ? { sandbox } : {}),
        ...(request.signal ? { signal: request.signal } : {}),
      }).finally(() => door?.close());
      lines.end();
      request.onActivity(activityLine(describeExit(result)));
      return { end: endOf(result, request), session: undefined, usage: NO_USAGE };
    },
  };
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
}

function endOf(result: CommandResult, { answerSchema }: AgentRequest): AgentEnd {
  if (result.aborted) return { type: 'cancelled' };
  const how = describeExit(result);
  if (result.timedOut) return { type: 'timed_out', why: how };
  const why = `${how}${lastOutput(result.tail)}`;
  if (result.exitCode === EXIT_TRY_LATER) return { type: 'rate_limited', why, resetsAt: undefined };
  if (result.exitCode !== 0) return { type: 'crashed', why };
  if (result.truncated)
    return { type: 'unanswered', why: `it printed more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MB` };
  if (!answerSchema) {
    const text = result.stdout.trim();
    return text === ''
      ? { type: 'unanswered', why: 'it printed nothing' }
      : { type: 'answered', answer: text };
  }
  const answer = lastJsonObject(result.stdout, requiredKeys(answerSchema));
  return answer
    ? { type: 'answered', answer }
    : { type: 'unanswered', why: `no JSON object in its output${lastOutput(result.tail)}` };
}

function lastOutput(tail: string): string {
  const text = tail.trim();
  return text === '' ? '' : `; last output: ${text.slice(-WHY_CHARACTERS)}`;
}
