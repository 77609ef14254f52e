import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { DOCTOR_SESSION } from '../../domain/doctor-session.ts';
import { isTooDeep } from '../../domain/json/json.ts';
import { isObject } from '../../domain/json/plain-shape.ts';
import { FEATURE_LIST_PATH } from '../../domain/protection/protected-paths.ts';
import { blockTestedTrue } from '../../guards/built-in/block-tested-true.ts';
import { configureGuards } from '../../guards/configure-guards.ts';
import { readGuardSources } from '../../guards/guard-sources.ts';
import { runProcess } from '../../platform/processes/run-process.ts';
import { readListFile } from '../feature-list/list-file.ts';
import { type DoctorCheck, REFUSES_ALL } from './doctor-check.ts';
import type { FoundWiring } from './examine-wiring.ts';

const TIMEOUT_MS = 60_000;
const REWIRE = 'Run `guardkit doctor --fix`; if that does not help, see the answers above.';

interface HookReply {
  /** `unjudged`: refused without a verdict. */
  decision: 'allow' | 'deny' | 'ask' | 'unjudged' | 'failed';
  why: string;
}

export interface ProofContext {
  root: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Tests the installed hooks: runs their commands the way Claude Code does, for a write that must be refused and a read that
 * must be allowed.
 */
export async function proveHooks({ hooks }: FoundWiring, context: ProofContext): Promise<DoctorCheck> {
  const id = 'hooks';
  const session = new Session(hooks, context);
  const commands = session.commandsOf('PreToolUse');
  if (commands.length === 0)
    return {
      id,
      outcome: 'fail',
      code: 'not-asked',
      found: 'no hook runs before an agent’s actions, so nothing can be refused',
    };
  const list = readListFile(context.root, Date.now());
  const { content, claim } = tamperedList(list.kind === 'file' ? list.bytes.toString('utf8') : undefined);
  const path = join(context.root, FEATURE_LIST_PATH);
  const cheat = await session.ask(commands, 'Write', { file_path: path, content });
  const harmless = await session.ask(commands, 'Read', { file_path: join(context.root, 'README.md') });
  await session.end();
  const lines = [
    `tried     Write ${FEATURE_LIST_PATH}: ${claim}`,
    `answered  ${describeReply(cheat)}`,
    'tried     Read README.md',
    `answered  ${describeReply(harmless)}`,
  ];
  if (cheat.decision !== 'deny' && cheat.decision !== 'unjudged')
    return {
      id,
      outcome: 'fail',
      code: 'not-refused',
      found: 'a forbidden write was NOT refused',
      lines,
      hint: (await hintOfMode(context.root)) ?? REWIRE,
    };
  if (harmless.decision !== 'allow')
    return {
      id,
      outcome: 'fail',
      code: REFUSES_ALL,
      found: 'the hooks refuse everything, because they cannot evaluate actions',
      lines,
      hint: REWIRE,
    };
  return { id, outcome: 'pass', found: 'working: a forbidden write was just refused', lines };
}

/** The guard may be configured not to refuse; then nothing is broken. */
async function hintOfMode(root: string): Promise<string | undefined> {
  const { settings, files } = await readGuardSources(root);
  const { id, mode } =
    configureGuards(settings, files, []).find((one) => one.id === blockTestedTrue.id) ?? {};
  if (mode === undefined || mode === 'enforce') return undefined;
  return `Set ${id} to enforce in .guardkit/config.yaml (now: ${mode}). Until then, false values in the list are only reverted afterwards.`;
}

function describeReply({ decision, why }: HookReply): string {
  const shown = decision === 'unjudged' ? 'refused without a verdict' : decision;
  return why === '' ? shown : `${shown}: ${why}`;
}

/** A simulated agent session. */
class Session {
  readonly #hooks: FoundWiring['hooks'];
  readonly #context: ProofContext;
  readonly #id = `${DOCTOR_SESSION}${randomUUID()}`;
  #actions = 0;

  constructor(hooks: FoundWiring['hooks'], context: ProofContext) {
    this.#hooks = hooks;
    this.#context = context;
  }

  /** Claude Code runs the same command once, however many files name it. */
  commandsOf(event: string): string[][] {
    const named = this.#hooks
      .filter((hook) => hook.event === event && hook.known)
      .map(({ handler: { command = '', args } }) =>
        JSON.stringify(args ? [command, ...args] : ['/bin/sh', '-c', command]),
      );
    return [...new Set(named)].map((words) => JSON.parse(words));
  }

  /** Simulates one tool call: before, and after if it is allowed, so that no action stays open. */
  async ask(
    commands: readonly string[][],
    tool_name: string,
    tool_input: Record<string, unknown>,
  ): Promise<HookReply> {
    this.#actions += 1;
    const call = { tool_name, tool_input, tool_use_id: `doctor-${this.#actions}` };
    const reply = await this.#strictest(commands, { hook_event_name: 'PreToolUse', ...call });
    if (reply.decision !== 'allow') return reply;
    const after = await this.#strictest(this.commandsOf('PostToolUse'), {
      hook_event_name: 'PostToolUse',
      tool_response: {},
      ...call,
    });
    return after.decision === 'allow' ? reply : after;
  }

  async end(): Promise<void> {
    await this.#strictest(this.commandsOf('SessionEnd'), { hook_event_name: 'SessionEnd', reason: 'other' });
  }

  async #strictest(commands: readonly string[][], event: Record<string, unknown>): Promise<HookReply> {
    let strictest: HookReply = { decision: 'allow', why: '' };
    for (const command of commands) {
      const reply = await this.#run(command, event);
      if (reply.decision !== 'allow') strictest = reply;
    }
    return strictest;
  }

  async #run([program = '', ...args]: string[], event: Record<string, unknown>): Promise<HookReply> {
    const { root, env } = this.#context;
    const base = { session_id: this.#id, cwd: root, permission_mode: 'default', transcript_path: '' };
    // If the program is missing, the hook fails, which Claude Code takes as a refusal (`onFailure`).
    if (!existsSync(program)) return { decision: 'unjudged', why: `${program} is missing` };
    const { exitCode, timedOut, stdout, stderr } = await runProcess(program, args, {
      cwd: root,
      env: { ...env, CLAUDE_PROJECT_DIR: root, CLAUDE_PID: String(process.pid), CLAUDECODE: '1' },
      timeoutMs: TIMEOUT_MS,
      input: JSON.stringify({ ...base, ...event }),
    });
    const why = stderr.trim().replace(/\s*\n\s*/g, ' ');
    if (timedOut) return { decision: 'failed', why: 'no answer within a minute' };
    if (exitCode === 2) return { decision: 'unjudged', why };
    if (exitCode !== 0) return { decision: 'failed', why: `exit ${exitCode}. ${why}` };
    return readAnswer(stdout, why);
  }
}

function readAnswer(stdout: string, stderr: string): HookReply {
  // Without output the action is allowed; a warning, as of a missing launcher, is on standard error.
  if (stdout.trim() === '') return { decision: 'allow', why: stderr };
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return { decision: 'failed', why: 'the answer is not JSON' };
  }
  const answer = hookAnswerSchema.safeParse(value);
  const { permissionDecision, permissionDecisionReason = '' } = answer.data?.hookSpecificOutput ?? {};
  if (permissionDecision === 'deny' || permissionDecision === 'ask')
    return { decision: permissionDecision, why: permissionDecisionReason };
  return { decision: 'allow', why: '' };
}

interface TamperedList {
  content: string;
  /** The false claim in it. */
  claim: string;
}

/** The list as a cheating agent would write it: with one more tested feature. */
export function tamperedList(text: string | undefined): TamperedList {
  const list = readList(text);
  const open = list?.features.find(
    (one) => isObject(one) && one.tested !== true && typeof one.id === 'string',
  );
  if (list && isObject(open)) {
    const features = list.features.map((one) => (one === open ? { ...open, tested: true } : one));
    return {
      content: `${JSON.stringify({ ...list.whole, features }, null, 2)}\n`,
      claim: `${String(open.id).slice(0, 80)} "tested": true`,
    };
  }
  const claimed = { id: 'FEAT-DOCTOR', description: 'Never built', status: 'completed', tested: true };
  const features = [...(list?.features ?? []), claimed];
  return {
    content: `${JSON.stringify({ ...list?.whole, features }, null, 2)}\n`,
    claim: 'a feature that was never built, "tested": true',
  };
}

function readList(
  text: string | undefined,
): { whole: Record<string, unknown>; features: unknown[] } | undefined {
  try {
    const whole: unknown = JSON.parse(text ?? '');
    if (!isObject(whole) || isTooDeep(whole) || !Array.isArray(whole.features)) return undefined;
    return { whole, features: whole.features };
  } catch {
    // Safe: without a readable list, a made-up one is used.
    return undefined;
  }
}

/** The part of a hook's answer that decides, in the forms of the supported agents. */
export const hookAnswerSchema = z.looseObject({
  decision: z.string().optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.string().optional(),
      permissionDecisionReason: z.string().optional(),
    })
    .optional(),
});
