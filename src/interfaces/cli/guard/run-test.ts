import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { guardFileSchema } from '../../../config/guard-files/guard-file.ts';
import { readYamlFile, requireValid } from '../../../config/yaml/yaml-file.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { compileGuard } from '../../../guards/compile-guard.ts';
import { evaluateGuards } from '../../../guards/evaluate-guards.ts';
import type { Guard } from '../../../guards/guard.ts';
import type { GuardFacts } from '../../../guards/guard-facts.ts';
import { pathPlace } from '../../../guards/path-place.ts';
import type { Finding } from '../../../guards/verdict.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readFeatures } from '../../../store/ledger/tables/feature-table.ts';
import { activeWaivers } from '../../../store/ledger/waivers.ts';
import { readText } from '../input/read-text.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { describePendingGuards, openGuardsInForce } from './open-guards.ts';
import { openWaivers } from './open-waivers.ts';
import { readAction } from './read-action.ts';

interface TestInput {
  file?: string | undefined;
  action: string;
  agentType?: string | undefined;
  driven: boolean;
  unattended: boolean;
}

const MAX_BYTES = 16 * 1024 * 1024;

export async function runTest(context: CliContext, input: TestInput): Promise<Report> {
  const { root, sources, guards, faults, pending } = await openGuardsInForce(context);
  const { home: dataFolder } = await context.workspace();
  const home = context.env.HOME || homedir();
  const place = pathPlace({ cwd: context.cwd, root, home, dataFolder, globs: sources.globs });
  const json = await readText(context, input.action, {
    maxBytes: MAX_BYTES,
    hint: 'Name a JSON file, or - for standard input.',
  });
  const action = readAction(json, place, { agentType: input.agentType, env: context.env });
  const asked = input.file === undefined ? guards : [await guardOf(resolve(context.cwd, input.file))];
  const verdict = evaluateGuards(action, asked, {
    ...(await worldFacts(context)),
    root: place.root,
    dataFolder: place.dataFolder,
    driven: input.driven,
    canAsk: !input.unattended,
    wrapped: false,
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
        ? [
            `  ${asked.length === 1 ? 'The guard has' : 'No guard has'} ${asked.length === 1 ? 'nothing' : 'anything'} to say.`,
          ]
        : []),
    ].join('\n'),
    notices: input.file === undefined ? [...faults, ...describePendingGuards(pending)] : [],
    exitCode: verdict.decision === 'deny' || verdict.decision === 'ask' ? 1 : 0,
  };
}

/** What does not depend on how the question is put. Nothing was run, so there is no evidence. */
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
  // A file of settings may be left out, and would be read as an empty one.
  if (!existsSync(file))
    throw new GuardKitError({
      code: 'file.unreadable',
      kind: 'input',
      message: `${file} does not exist.`,
      hint: 'Name the YAML file of a guard, or leave it out to ask every guard of the project.',
    });
  return compileGuard(requireValid(await readYamlFile(file, guardFileSchema)));
}

const SILENT = { shadow: ' (in the shadow)', waived: ' (waived)' };

function describeFinding({ guard, decision, reason, guidance, silent }: Finding): string[] {
  return [`  ${guard}: ${decision}${silent ? SILENT[silent] : ''}`, `    ${reason}`, `    → ${guidance}`];
}
