import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DOCTOR_SESSION } from '../../domain/doctor-session.ts';
import { runProcess } from '../../platform/processes/run-process.ts';
import { type OwnHook, ownHooks } from '../install/claude-settings.ts';
import { type TimedAgent, wrongEvents } from '../install/hooks-with-deadlines.ts';
import { readSettingsFile } from '../install/settings-file.ts';
import { CODEX, CODEX_HOOKS } from '../install/wire-codex.ts';
import { COPILOT, COPILOT_SETTINGS } from '../install/wire-copilot.ts';
import { GEMINI, GEMINI_SETTINGS } from '../install/wire-gemini.ts';
import { QWEN, QWEN_SETTINGS } from '../install/wire-qwen.ts';
import { type AgentContext, type DoctorCheck, REFUSES_ALL } from './doctor-check.ts';
import { examineCodexTrust } from './examine-codex.ts';
import { examineCopilotTrust, examineGeminiTrust, examineQwenTrust } from './examine-folder-trust.ts';
import { examineOpencode } from './examine-opencode.ts';
import { hookAnswerSchema } from './prove-hooks.ts';

interface Call {
  tool: string;
  input: object;
}

/** How the hooks of an agent are tested. */
interface AgentExamination {
  agent: TimedAgent;
  cheat: Call & { shown: string };
  harmless: Call & { shown: string };
  /** Whether the agent would run the hooks. */
  examineTrust(context: AgentContext): Promise<DoctorCheck>;
  /** What the person does after a repair. */
  afterRepair: string;
}

const PATCH = `*** Begin Patch\n*** Add File: ${CODEX_HOOKS}\n+{}\n*** End Patch\n`;

const EXAMINATIONS: readonly AgentExamination[] = [
  {
    agent: CODEX,
    cheat: { tool: 'apply_patch', input: { command: PATCH }, shown: `apply_patch ${CODEX_HOOKS}` },
    harmless: { tool: 'Bash', input: { command: 'git status' }, shown: 'git status' },
    examineTrust: examineCodexTrust,
    afterRepair: ', then trust the hooks in Codex again (/hooks)',
  },
  {
    agent: COPILOT,
    cheat: {
      tool: 'Write',
      input: { path: COPILOT_SETTINGS, file_text: '{}' },
      shown: `create ${COPILOT_SETTINGS}`,
    },
    harmless: { tool: 'Bash', input: { command: 'git status' }, shown: 'git status' },
    examineTrust: examineCopilotTrust,
    afterRepair: '',
  },
  {
    agent: GEMINI,
    cheat: {
      tool: 'write_file',
      input: { file_path: GEMINI_SETTINGS, content: '{}' },
      shown: `write_file ${GEMINI_SETTINGS}`,
    },
    harmless: { tool: 'run_shell_command', input: { command: 'git status' }, shown: 'git status' },
    examineTrust: examineGeminiTrust,
    afterRepair: '',
  },
  {
    agent: QWEN,
    cheat: {
      tool: 'write_file',
      input: { file_path: QWEN_SETTINGS, content: '{}' },
      shown: `write_file ${QWEN_SETTINGS}`,
    },
    harmless: { tool: 'run_shell_command', input: { command: 'git status' }, shown: 'git status' },
    examineTrust: examineQwenTrust,
    afterRepair: '',
  },
];

const TIMEOUT_MS = 60_000;

/** Checks for each agent whose settings here have GuardKit's hooks: the settings, the person's trust, and the hooks at work. */
export async function examineAgents(context: AgentContext): Promise<DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  for (const one of EXAMINATIONS) checks.push(...(await examine(one, context)));
  return [...checks, ...(await examineOpencode(context))];
}

async function examine(one: AgentExamination, context: AgentContext): Promise<DoctorCheck[]> {
  const { name, title, file, events } = one.agent;
  const path = join(context.root, file);
  if (!existsSync(path)) return [];
  const reading = readSettingsFile(path);
  if (!reading.ok)
    return [
      {
        id: `${name}-settings`,
        outcome: 'fail',
        found: `${file} cannot be used: ${reading.why}`,
        hint: `Fix the file; until then ${title} may run without GuardKit’s hooks.`,
      },
    ];
  const hooks = ownHooks(reading.file.settings);
  if (hooks.length === 0) return [];
  const wrong = wrongEvents(one.agent, hooks, context.dataFolder);
  const settings: DoctorCheck =
    wrong.length === 0
      ? { id: `${name}-settings`, outcome: 'pass', found: `${events.length} hooks in ${file}` }
      : {
          id: `${name}-settings`,
          outcome: 'fail',
          found: `the hooks for ${wrong.join(', ')} in ${file} are missing or changed`,
          hint: repairHint(one),
        };
  return [settings, await one.examineTrust(context), await prove(one, hooks, context)];
}

function repairHint({ afterRepair }: AgentExamination): string {
  return `Run \`guardkit doctor --fix\`${afterRepair}.`;
}

type Reply = 'refused' | 'unjudged' | 'allowed' | 'failed';

/** Tests the installed hooks: runs their commands the way the agent does, for a forbidden edit and an allowed command. */
async function prove(
  one: AgentExamination,
  hooks: readonly OwnHook[],
  context: AgentContext,
): Promise<DoctorCheck> {
  const { agent, cheat, harmless } = one;
  const id = `${agent.name}-hooks`;
  const ask = askAs(agent, hooks, context);
  const answers = { cheat: await ask(cheat), harmless: await ask(harmless) };
  const lines = [
    `tried     ${cheat.shown}`,
    `answered  ${answers.cheat}`,
    `tried     ${harmless.shown}`,
    `answered  ${answers.harmless}`,
  ];
  const hint = repairHint(one);
  if (answers.cheat !== 'refused' && answers.cheat !== 'unjudged')
    return {
      id,
      outcome: 'fail',
      code: 'not-refused',
      found: 'a forbidden edit was NOT refused',
      lines,
      hint,
    };
  if (answers.harmless !== 'allowed')
    return {
      id,
      outcome: 'fail',
      code: REFUSES_ALL,
      found: `${agent.title}’s hooks refuse everything, because they cannot judge`,
      lines,
      hint,
    };
  return { id, outcome: 'pass', found: 'working: a forbidden edit was just refused', lines };
}

function askAs(agent: TimedAgent, hooks: readonly OwnHook[], { root, env }: AgentContext) {
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
  return async ({ tool, input }: Call): Promise<Reply> => {
    count += 1;
    const call = { tool_name: tool, tool_input: input, tool_use_id: `doctor-${count}` };
    const reply = await run(agent.before, call);
    // So that no action stays open.
    if (reply === 'allowed') await run(agent.after, { ...call, tool_response: '' });
    await run(agent.ended, { reason: 'other' });
    return reply;
  };
}

function readReply(stdout: string): Reply {
  if (stdout.trim() === '') return 'allowed';
  try {
    const answer = hookAnswerSchema.parse(JSON.parse(stdout));
    const { permissionDecision, permissionDecisionReason = '' } = answer.hookSpecificOutput ?? {};
    const isDenied =
      (permissionDecision === 'deny' && permissionDecisionReason !== '') ||
      (answer.decision === 'deny' && (answer.reason ?? '') !== '');
    return isDenied ? 'refused' : 'allowed';
  } catch {
    // Safe: reported as a failure. The agent would let the action run.
    return 'failed';
  }
}
