import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DOCTOR_SESSION } from '../../domain/doctor-session.ts';
import { findProgram } from '../../platform/processes/find-program.ts';
import { runProcess } from '../../platform/processes/run-process.ts';
import { type OwnHook, ownHooks } from '../install/claude-settings.ts';
import { sharedTimedHookCommand, timedHookCommand } from '../install/hook-launcher.ts';
import { readSettingsFile } from '../install/settings-file.ts';
import { CODEX_EVENTS, CODEX_HOOKS, codexHandler } from '../install/wire-codex.ts';
import { askCodexForHooks } from './ask-codex.ts';
import { type DoctorCheck, REFUSES_ALL } from './doctor-check.ts';
import { hookAnswerSchema } from './hook-answer.ts';

export interface CodexContext {
  root: string;
  dataFolder: string;
  env: NodeJS.ProcessEnv;
}

const REWIRE = 'Run `guardkit doctor --fix`, then trust the hooks in Codex again (/hooks).';
const TIMEOUT_MS = 60_000;

/** Checks for Codex, if its settings here have GuardKit's hooks: the settings, the person's trust, and the hooks at work. */
export async function examineCodex(context: CodexContext): Promise<DoctorCheck[]> {
  const path = join(context.root, CODEX_HOOKS);
  if (!existsSync(path)) return [];
  const reading = readSettingsFile(path);
  if (!reading.ok)
    return [
      {
        id: 'codex-settings',
        outcome: 'fail',
        found: `${CODEX_HOOKS} cannot be used: ${reading.why}`,
        hint: 'Fix the file; until then Codex may run without its hooks.',
      },
    ];
  const hooks = ownHooks(reading.file.settings);
  if (hooks.length === 0) return [];
  return [examineSettings(hooks, context), await examineTrust(context), await proveCodex(hooks, context)];
}

function examineSettings(hooks: readonly OwnHook[], { dataFolder }: CodexContext): DoctorCheck {
  const id = 'codex-settings';
  const forms = [timedHookCommand(dataFolder, 'codex'), sharedTimedHookCommand('codex')];
  const wrong = CODEX_EVENTS.filter(
    (event) =>
      !hooks.some(
        (hook) =>
          hook.event === event &&
          hook.matcher === '*' &&
          forms.some((form) => sameHandler(hook.handler, codexHandler(event, form))),
      ),
  );
  return wrong.length === 0
    ? { id, outcome: 'pass', found: `${CODEX_EVENTS.length} hooks in ${CODEX_HOOKS}` }
    : {
        id,
        outcome: 'fail',
        found: `the hooks for ${wrong.join(', ')} in ${CODEX_HOOKS} are missing or changed`,
        hint: REWIRE,
      };
}

function sameHandler(one: OwnHook['handler'], other: OwnHook['handler']): boolean {
  return one.type === other.type && one.command === other.command && one.timeout === other.timeout;
}

/** Codex skips hooks without the person's trust, without a message. Only Codex knows whether it would run them. */
async function examineTrust({ root, env }: CodexContext): Promise<DoctorCheck> {
  const id = 'codex-trust';
  const program = findProgram('codex', env, root);
  const found = program === undefined ? undefined : await askCodexForHooks(program, root, env);
  if (found === undefined)
    return {
      id,
      outcome: 'absent',
      code: 'not-asked',
      found:
        program === undefined
          ? 'Codex was not found on the PATH, so its trust in the hooks is unknown'
          : 'Codex did not say which hooks it trusts',
    };
  const own = found.filter(({ command }) => command?.includes('/bin/guardkit-hook'));
  if (own.length === 0)
    return {
      id,
      outcome: 'fail',
      code: 'folder-untrusted',
      found: 'Codex does not use the hooks of this folder',
      hint: 'Start `codex` here and trust the folder, then trust GuardKit’s hooks in /hooks. Hooks must not be turned off in Codex’s settings.',
    };
  const skipped = own.filter(({ enabled, trustStatus }) => !enabled || !TRUSTED.includes(trustStatus));
  if (skipped.length > 0)
    return {
      id,
      outcome: 'fail',
      code: 'hooks-untrusted',
      found: `Codex skips ${skipped.length} of GuardKit’s ${own.length} hooks, because you have not trusted them`,
      hint: 'Start `codex` here, open /hooks and trust GuardKit’s hooks.',
    };
  return { id, outcome: 'pass', found: `Codex trusts all ${own.length} hooks` };
}

const TRUSTED: readonly string[] = ['trusted', 'managed'];

type Reply = 'refused' | 'unjudged' | 'allowed' | 'failed';

/** Tests the installed hooks: runs their commands the way Codex does, for a forbidden patch and an allowed command. */
async function proveCodex(hooks: readonly OwnHook[], context: CodexContext): Promise<DoctorCheck> {
  const id = 'codex-hooks';
  const ask = askAs(hooks, context);
  const patch = '*** Begin Patch\n*** Add File: .codex/hooks.json\n+{}\n*** End Patch\n';
  const cheat = await ask('apply_patch', { command: patch });
  const harmless = await ask('Bash', { command: 'git status' });
  const lines = [
    `tried     apply_patch ${CODEX_HOOKS}`,
    `answered  ${cheat}`,
    'tried     git status',
    `answered  ${harmless}`,
  ];
  if (cheat !== 'refused' && cheat !== 'unjudged')
    return {
      id,
      outcome: 'fail',
      code: 'not-refused',
      found: 'a forbidden patch was NOT refused',
      lines,
      hint: REWIRE,
    };
  if (harmless !== 'allowed')
    return {
      id,
      outcome: 'fail',
      code: REFUSES_ALL,
      found: 'Codex’s hooks refuse everything, because they cannot judge',
      lines,
      hint: REWIRE,
    };
  return { id, outcome: 'pass', found: 'working: a forbidden patch was just refused', lines };
}

function askAs(hooks: readonly OwnHook[], { root, env }: CodexContext) {
  const session_id = `${DOCTOR_SESSION}${randomUUID()}`;
  let count = 0;
  const run = async (event: string, payload: object): Promise<Reply> => {
    const command = hooks.find((hook) => hook.event === event)?.handler.command;
    if (command === undefined) return 'failed';
    const { exitCode, stdout, stderr } = await runProcess('/bin/sh', ['-c', command], {
      cwd: root,
      env,
      timeoutMs: TIMEOUT_MS,
      input: JSON.stringify({ session_id, cwd: root, hook_event_name: event, ...payload }),
    });
    if (exitCode === 2 && stderr.trim() !== '') return 'unjudged';
    return exitCode === 0 ? readReply(stdout) : 'failed';
  };
  return async (tool_name: string, tool_input: object): Promise<Reply> => {
    count += 1;
    const call = { tool_name, tool_input, tool_use_id: `doctor-${count}` };
    const reply = await run('PreToolUse', call);
    // So that no action stays open.
    if (reply === 'allowed') await run('PostToolUse', { ...call, tool_response: '' });
    await run('SessionEnd', { reason: 'other' });
    return reply;
  };
}

function readReply(stdout: string): Reply {
  if (stdout.trim() === '') return 'allowed';
  try {
    const answer = hookAnswerSchema.parse(JSON.parse(stdout));
    const { permissionDecision, permissionDecisionReason = '' } = answer.hookSpecificOutput ?? {};
    return permissionDecision === 'deny' && permissionDecisionReason !== '' ? 'refused' : 'allowed';
  } catch {
    // Safe: reported as a failure. Codex would let the action run.
    return 'failed';
  }
}
