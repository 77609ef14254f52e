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
import type { FoundWiring } from './find-wiring.ts';

const TIMEOUT_MS = 60_000;
const REWIRE = 'Run `guardkit doctor --fix`; if that does not help, the lines above say what is broken.';

const answerSchema = z.looseObject({
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.string().optional(),
      permissionDecisionReason: z.string().optional(),
    })
    .optional(),
});

interface Said {
  decision: 'goes ahead' | 'deny' | 'ask' | 'refused without being judged' | 'failed';
  why: string;
}

export interface ProofContext {
  root: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Cheats through the wiring as it is installed: runs what the settings name, the way Claude Code runs it, for a write that
 * must be refused and for a read that must not be.
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
      found: 'nothing is asked before an agent acts, so nothing can be refused',
    };
  const list = readListFile(context.root, Date.now());
  const { content, claim } = tamperedList(list.kind === 'file' ? list.bytes.toString('utf8') : undefined);
  const path = join(context.root, FEATURE_LIST_PATH);
  const cheat = await session.ask(commands, 'Write', { file_path: path, content });
  const harmless = await session.ask(commands, 'Read', { file_path: join(context.root, 'README.md') });
  await session.end();
  const lines = [
    `tried     Write ${FEATURE_LIST_PATH}: ${claim}`,
    `answered  ${describeSaid(cheat)}`,
    'tried     Read README.md',
    `answered  ${describeSaid(harmless)}`,
  ];
  if (cheat.decision !== 'deny' && cheat.decision !== 'refused without being judged')
    return {
      id,
      outcome: 'fail',
      code: 'not-refused',
      found: 'a cheating attempt was NOT refused',
      lines,
      hint: (await hintOfMode(context.root)) ?? REWIRE,
    };
  if (harmless.decision !== 'goes ahead')
    return {
      id,
      outcome: 'fail',
      code: REFUSES_ALL,
      found: 'the hooks refuse everything, since they cannot judge',
      lines,
      hint: REWIRE,
    };
  return { id, outcome: 'pass', found: 'they fire: a cheating attempt was refused just now', lines };
}

/** A person may have said that it is not to be refused; then nothing is broken. */
async function hintOfMode(root: string): Promise<string | undefined> {
  const { settings, files } = await readGuardSources(root);
  const { id, mode } =
    configureGuards(settings, files, []).find((one) => one.id === blockTestedTrue.id) ?? {};
  if (mode === undefined || mode === 'enforce') return undefined;
  return `Set ${id} to enforce in .guardkit/config.yaml, which has ${mode}. Until then a false list is only put back afterwards.`;
}

function describeSaid({ decision, why }: Said): string {
  return why === '' ? decision : `${decision}: ${why}`;
}

/** A session of an agent that is none. */
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

  /** One use of a tool: asked for, and told the end of where it goes ahead, so that nothing waits for it. */
  async ask(
    commands: readonly string[][],
    tool_name: string,
    tool_input: Record<string, unknown>,
  ): Promise<Said> {
    this.#actions += 1;
    const call = { tool_name, tool_input, tool_use_id: `doctor-${this.#actions}` };
    const said = await this.#strictest(commands, { hook_event_name: 'PreToolUse', ...call });
    if (said.decision !== 'goes ahead') return said;
    const after = await this.#strictest(this.commandsOf('PostToolUse'), {
      hook_event_name: 'PostToolUse',
      tool_response: {},
      ...call,
    });
    return after.decision === 'goes ahead' ? said : after;
  }

  async end(): Promise<void> {
    await this.#strictest(this.commandsOf('SessionEnd'), { hook_event_name: 'SessionEnd', reason: 'other' });
  }

  async #strictest(commands: readonly string[][], event: Record<string, unknown>): Promise<Said> {
    let strictest: Said = { decision: 'goes ahead', why: '' };
    for (const command of commands) {
      const said = await this.#run(command, event);
      if (said.decision !== 'goes ahead') strictest = said;
    }
    return strictest;
  }

  async #run([program = '', ...args]: string[], event: Record<string, unknown>): Promise<Said> {
    const { root, env } = this.#context;
    const base = { session_id: this.#id, cwd: root, permission_mode: 'default', transcript_path: '' };
    // A program that is gone is a hook that failed, which Claude Code takes as a refusal (`onFailure`).
    if (!existsSync(program))
      return { decision: 'refused without being judged', why: `${program} is missing` };
    const { exitCode, timedOut, stdout, stderr } = await runProcess(program, args, {
      cwd: root,
      env: { ...env, CLAUDE_PROJECT_DIR: root, CLAUDE_PID: String(process.pid), CLAUDECODE: '1' },
      timeoutMs: TIMEOUT_MS,
      input: JSON.stringify({ ...base, ...event }),
    });
    const why = stderr.trim().replace(/\s*\n\s*/g, ' ');
    if (timedOut) return { decision: 'failed', why: 'no answer within a minute' };
    if (exitCode === 2) return { decision: 'refused without being judged', why };
    if (exitCode !== 0) return { decision: 'failed', why: `exit ${exitCode}. ${why}` };
    return readAnswer(stdout, why);
  }
}

function readAnswer(stdout: string, stderr: string): Said {
  // What lets something pass and complains, such as a launcher that is not there, has judged nothing.
  if (stdout.trim() === '') return { decision: 'goes ahead', why: stderr };
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return { decision: 'failed', why: 'the answer is no JSON' };
  }
  const answer = answerSchema.safeParse(value);
  const { permissionDecision, permissionDecisionReason = '' } = answer.data?.hookSpecificOutput ?? {};
  if (permissionDecision === 'deny' || permissionDecision === 'ask')
    return { decision: permissionDecision, why: permissionDecisionReason };
  return { decision: 'goes ahead', why: '' };
}

interface TamperedList {
  content: string;
  /** The false claim in it. */
  claim: string;
}

/** The list as an agent would write it that wants to be done: one feature more is tested than is. */
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
    claim: 'a feature that nobody built, "tested": true',
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
    // Safe: without a list that can be read, one is made up.
    return undefined;
  }
}
