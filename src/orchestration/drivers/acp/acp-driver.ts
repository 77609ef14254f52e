import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { commandEnvironment } from '../../../platform/processes/command-environment.ts';
import { endMarked, RUN_VARIABLE, runMarker } from '../../../platform/processes/end-processes.ts';
import {
  type AgentDriver,
  type AgentEnd,
  type AgentRequest,
  activityLine,
  NO_USAGE,
} from '../agent-driver.ts';
import { AgentProcess } from '../agent-process.ts';
import { agentSandbox } from '../agent-sandbox.ts';
import { pickVariables } from '../cli/cli-agent.ts';
import { requireProgram } from '../cli/cli-driver.ts';
import { promptWithSchema, readAnswer, repairPrompt } from '../structured-answer.ts';
import { type AcpAnswer, AcpSession } from './acp-session.ts';

export interface AcpOptions {
  /** The program that speaks the Agent Client Protocol on its standard input and output, with its arguments. */
  command: readonly string[];
  /** Names of further variables for the agent, such as API keys. */
  env?: readonly string[] | undefined;
  /** Writable paths besides its folder, such as its log-in folder; `~/` is the person's home. */
  writable?: readonly string[] | undefined;
}

/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Drives any agent that speaks the Agent Client Protocol. Guards answer its permission requests. Agents do not ask for
 * everything, so the whole run also counts as one action, whose changes are checked when it has ended.
 */
export function acpDriver({ command, env: names = [], writable = [] }: AcpOptions): AgentDriver {
  const alsoWrites = ({ HOME = homedir() }: NodeJS.ProcessEnv) =>
    writable.map((path) => (path.startsWith('~/') ? join(HOME, path.slice(2)) : path));
  return {
    name: 'acp',
    alsoWrites,
    async run(request) {
      if (request.signal?.aborted) return { end: { type: 'cancelled' }, session: undefined, usage: NO_USAGE };
      const [name = '', ...args] = command;
      const program = requireProgram(name, request);
      const sandbox = agentSandbox(request, { writable: alsoWrites(request.env), network: 'host' });
      const runId = randomUUID();
      const started = new AgentProcess(sandbox);
      try {
        const child = started.start({
          command: program,
          args,
          cwd: request.folder,
          env: {
            ...commandEnvironment(request.env, { sandboxed: sandbox !== undefined }),
            ...pickVariables(request.env, names),
            [RUN_VARIABLE]: runMarker(runId),
          },
        });
        const session = new AcpSession(child, request);
        child.on('error', (error) => session.end({ type: 'crashed', why: error.message }));
        child.on('exit', (code, signal) => {
          const how = signal === null ? `exit code ${code}` : `ended by ${signal}`;
          session.end({ type: 'crashed', why: started.errors.slice(-1000) || how });
        });
        const end = await within(request, session, () => ask(session, request));
        return { end, session: session.id, usage: session.usage };
      } finally {
        await started.end();
        await endMarked(runId);
      }
    },
  };
}

/** Ends the session after the request's time, or when it is cancelled. */
async function within(
  { timeoutMs, signal }: AgentRequest,
  session: AcpSession,
  work: () => Promise<AgentEnd>,
): Promise<AgentEnd> {
  const cancel = () => session.end({ type: 'cancelled' });
  const late = `no answer within ${Math.round(timeoutMs / 100) / 10} s`;
  const timer = setTimeout(
    () => session.end({ type: 'timed_out', why: late }),
    Math.min(timeoutMs, MAX_TIMER_MS),
  );
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

async function ask(session: AcpSession, request: AgentRequest): Promise<AgentEnd> {
  const { prompt, answerSchema: schema, onActivity } = request;
  const first = await session.prompt(promptWithSchema(prompt, schema));
  if (first.type !== 'said') return first;
  if (!schema)
    return first.text === ''
      ? { type: 'unanswered', why: 'it ended without an answer' }
      : { type: 'answered', answer: first.text };
  const read = readAnswer(first.text, schema);
  if (read.ok) return { type: 'answered', answer: read.answer };
  onActivity(activityLine('invalid answer, asking once more:', read.why));
  const again: AcpAnswer = await session.prompt(repairPrompt(read.why, schema));
  if (again.type !== 'said') return again;
  const repaired = readAnswer(again.text, schema);
  return repaired.ok
    ? { type: 'answered', answer: repaired.answer }
    : { type: 'unanswered', why: repaired.why };
}
