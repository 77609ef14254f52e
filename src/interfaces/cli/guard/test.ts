import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import * as z from 'zod';
import { guardFileSchema } from '../../../config/guard-files/guard-file.ts';
import { readYamlFile, requireValid } from '../../../config/yaml/yaml-file.ts';
import { unaskedServers } from '../../../enforcement/agents/agent-hooks.ts';
import { readClaudeEvent } from '../../../enforcement/agents/claude.ts';
import type { HookSource, ToolRequest } from '../../../enforcement/hooks/hook-event.ts';
import { actorOf, toAction } from '../../../enforcement/hooks/to-action.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { Action } from '../../../guards/action.ts';
import { compileGuard } from '../../../guards/compile-guard.ts';
import { evaluateGuards } from '../../../guards/evaluate-guards.ts';
import type { Finding, Guard, GuardFacts } from '../../../guards/guard.ts';
import { type PathContext, pathContext } from '../../../guards/path-context.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readFeatures } from '../../../store/ledger/tables/feature-table.ts';
import { activeWaivers } from '../../../store/ledger/waivers.ts';
import { readText } from '../input/read-text.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { describePendingGuards, openGuardsInForce } from './open-guards.ts';
import { openWaivers } from './waivers.ts';

export const test = defineCommand({
  name: 'test',
  summary: 'Test one guard or all guards against an action',
  arguments: [['[file]', 'Guard file (default: every guard of this project)']],
  options: [
    ['--action <file>', 'JSON file with a hook payload or action, or - (required)'],
    ['--agent-type <type>', 'Agent type (default: the main agent)'],
    ['--driven', 'Judge as in a driven session'],
    ['--unattended', 'Judge as if there were nobody to ask'],
  ],
  schema: z.object({
    file: z.string().min(1).optional(),
    action: z.string('required, for example --action payload.json').min(1),
    agentType: z.string().min(1).optional(),
    driven: z.boolean().default(false),
    unattended: z.boolean().default(false),
  }),
  run: runTest,
});

interface TestInput {
  file?: string | undefined;
  action: string;
  agentType?: string | undefined;
  driven: boolean;
  unattended: boolean;
}

const MAX_BYTES = 16 * 1024 * 1024;

async function runTest(context: CliContext, input: TestInput): Promise<Report> {
  const { root, sources, guards, faults, pending } = await openGuardsInForce(context);
  const { home: dataFolder } = await context.workspace();
  const home = context.env.HOME || homedir();
  const paths = pathContext({ cwd: context.cwd, root, home, dataFolder, globs: sources.globs });
  const json = await readText(context, input.action, {
    maxBytes: MAX_BYTES,
    hint: 'Specify a JSON file, or - for standard input.',
  });
  const action = readAction(json, paths, { agentType: input.agentType, env: context.env });
  const asked = input.file === undefined ? guards : [await guardOf(resolve(context.cwd, input.file))];
  const verdict = evaluateGuards(action, asked, {
    ...(await worldFacts(context)),
    root: paths.root,
    dataFolder: paths.dataFolder,
    driven: input.driven,
    canAsk: !input.unattended,
    wrapped: false,
    unaskedServers: () => unaskedServers(action.actor.agent, paths.root),
  });
  return {
    json: {
      decision: verdict.decision,
      kind: action.kind,
      summary: action.summary,
      findings: verdict.findings,
      pending: input.file === undefined ? pending : [],
    },
    text: [
      `${verdict.decision}: ${action.summary}`,
      ...verdict.findings.flatMap(describeFinding),
      ...(verdict.findings.length === 0
        ? [`  ${asked.length === 1 ? 'The guard did not match.' : 'No guard matched.'}`]
        : []),
    ].join('\n'),
    notices: input.file === undefined ? [...faults, ...describePendingGuards(pending)] : [],
    exitCode: verdict.decision === 'deny' || verdict.decision === 'ask' ? 1 : 0,
  };
}

/** The same facts for every way to ask. Nothing was run, so there is no evidence. */
async function worldFacts(
  context: CliContext,
): Promise<Pick<GuardFacts, 'now' | 'waivers' | 'features' | 'evidence'>> {
  const { ledger, project } = await openWaivers(context);
  const now = systemClock();
  return {
    now: new Date(now).toISOString(),
    waivers: activeWaivers(ledger, project, now),
    features: () => readFeatures(ledger, project),
    evidence: () => 'absent',
  };
}

async function guardOf(file: string): Promise<Guard> {
  // readYamlFile reads a missing file as an empty one.
  if (!existsSync(file))
    throw new GuardKitError({
      code: 'file.unreadable',
      kind: 'input',
      message: `${file} does not exist.`,
      hint: 'Specify the YAML file of a guard, or omit it to test every guard of the project.',
    });
  return compileGuard(requireValid(await readYamlFile(file, guardFileSchema)));
}

const SILENT = { shadow: ' (shadow mode)', waived: ' (waived)' };

function describeFinding({ guard, decision, reason, guidance, silent }: Finding): string[] {
  return [`  ${guard}: ${decision}${silent ? SILENT[silent] : ''}`, `    ${reason}`, `    → ${guidance}`];
}

const text = z.string();

/** An action in a format that is independent of the agent. */
const requestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('read'), paths: z.array(text), whole: z.boolean().default(true) }),
  z.strictObject({ kind: z.literal('write'), path: text, content: text }),
  z.strictObject({
    kind: z.literal('replace'),
    path: text,
    replacements: z.array(z.strictObject({ old: text, new: text, all: z.boolean().default(false) })),
  }),
  z.strictObject({ kind: z.literal('change'), paths: z.array(text) }),
  z.strictObject({ kind: z.literal('command'), command: text, background: z.boolean().default(false) }),
  z.strictObject({ kind: z.literal('spawn'), type: text }),
  z.strictObject({ kind: z.literal('tool'), name: text, input: z.unknown() }),
]);

interface ReadActionOptions {
  agentType: string | undefined;
  env: NodeJS.ProcessEnv;
}

/** The action in a recorded hook payload or a plain request. */
function readAction(json: string, context: PathContext, { agentType, env }: ReadActionOptions): Action {
  const value = parse(json);
  const said = requestSchema.safeParse(value);
  if (said.success) {
    const source: HookSource = {
      agent: 'none',
      session: 'test',
      cwd: context.cwd,
      actorType: agentType,
      actorId: undefined,
      canAsk: true,
    };
    return toAction(said.data.kind, said.data as ToolRequest, source, context);
  }
  const event = readClaudeEvent(value, env);
  const source = event && { ...event.source, actorType: agentType ?? event.source.actorType };
  if (source && event.type === 'acting') return toAction(event.tool, event.request, source, context);
  if (source && event.type === 'stopping')
    return {
      kind: 'stop',
      actor: actorOf(source),
      tool: 'stop',
      summary: 'stop',
      of: event.of,
      changed: undefined,
      again: event.again,
    };
  throw new GuardKitError({
    code: 'guard.no-action',
    kind: 'input',
    message: event ? `Guards do not judge ${event.type} payloads.` : 'Neither a hook payload nor an action.',
    hint: 'Pass a PreToolUse payload of Claude Code, or JSON such as {"kind": "command", "command": "npm test"}.',
  });
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new GuardKitError({
      code: 'guard.no-action',
      kind: 'input',
      message: `The action is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
      hint: 'Pass the payload exactly as the agent sent it.',
      cause: error,
    });
  }
}
