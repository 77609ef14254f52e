import { homedir } from 'node:os';
import * as z from 'zod';
import { type Diagnosis, type DoctorContext, diagnose } from '../../../enforcement/doctor/diagnose.ts';
import type { DoctorCheck } from '../../../enforcement/doctor/doctor-check.ts';
import { type Repair, repair } from '../../../enforcement/doctor/repair.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import { recordToolchains } from '../../../verification/environment/toolchain-record.ts';
import { VERSION } from '../../../version.ts';
import { changedPaths } from '../output/describe-step.ts';
import { OUTCOME_ICONS } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { refuseAgents } from '../verification/person-name.ts';
import { ownFiles, unlistedFiles } from './own-files.ts';

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Test the hooks and check everything they depend on',
  options: [['--fix', 'Repair hooks and installed files first']],
  changes: true,
  schema: z.object({ fix: z.boolean().default(false), dryRun: z.boolean().default(false) }),
  run: runDoctor,
});

async function runDoctor(
  context: CliContext,
  { fix, dryRun }: { fix: boolean; dryRun: boolean },
): Promise<Report> {
  const doctorContext: DoctorContext = { ...context, home: context.env.HOME ?? homedir() };
  if (fix && !dryRun) await refuseAgents(context, 'repair GuardKit’s hooks');
  const git = findGitFolder(context.cwd);
  const repaired = fix && git ? await repair(doctorContext, git, dryRun) : undefined;
  if (repaired && !dryRun) await acceptChanges(context, repaired);
  if (git && fix && !dryRun) await recordPrograms(context, git.root);
  const diagnosis = await diagnose(doctorContext);
  return {
    json: {
      version: VERSION,
      ...diagnosis,
      repaired: repaired ? { done: repaired.done, failed: repaired.failed, dry_run: dryRun } : null,
    },
    text: [...describeRepair(repaired, dryRun), ...describeDiagnosis(diagnosis)].join('\n'),
    exitCode: diagnosis.ok ? 0 : 1,
  };
}

/** Agents are refused earlier. Without a record, runs use the system's programs, which the diagnosis shows. */
async function recordPrograms(context: CliContext, root: string): Promise<void> {
  const { home, project } = await context.workspace();
  if (!project.known) return;
  await recordToolchains({ env: context.env, root, dataFolder: home, project: project.id, agent: undefined });
}

async function acceptChanges(context: CliContext, { steps }: Repair): Promise<void> {
  if (!context.findPerson().present) return;
  try {
    const { home } = await context.workspace();
    await ownFiles(context, [...changedPaths(steps), ...unlistedFiles(home)]);
  } catch {
    // Safe: without a ledger there is no record of these files, and the diagnosis reports the ledger.
  }
}

function describeRepair(repaired: Repair | undefined, dryRun: boolean): string[] {
  if (!repaired) return [];
  const { done, failed } = repaired;
  const heading = dryRun ? 'Would repair:' : 'Repaired:';
  const nothing = failed.length === 0 ? 'Nothing to repair.' : 'Repair failed:';
  return [
    done.length === 0 ? nothing : heading,
    ...done.map((line) => `  ${line}`),
    ...failed.map((line) => `  not repaired: ${line}`),
    '',
  ];
}

const LABEL = 10;

function describeDiagnosis({ checks, says, notProtected, improve, ok }: Diagnosis): string[] {
  return [
    ...checks.flatMap(describeCheck),
    '',
    `Protection: ${says}`,
    '',
    'Not protected:',
    ...notProtected.map((line) => `  - ${line}`),
    ...(improve.length > 0
      ? ['', ok ? 'To improve:' : 'To fix:', ...improve.map((line) => `  - ${line}`)]
      : []),
    '',
    ok ? 'All checks passed.' : 'Some checks failed.',
  ];
}

function describeCheck({ id, outcome, found, lines = [] }: DoctorCheck): string[] {
  const indent = ' '.repeat(LABEL + 4);
  return [
    `  ${OUTCOME_ICONS[outcome]} ${id.padEnd(LABEL)}${found}`,
    ...lines.flatMap(describeLine).map((line) => `${indent}${line}`),
  ];
}

/** Several findings go on separate lines. */
function describeLine(line: string): string[] {
  const [first = '', ...more] = line.split('\n');
  return [first, ...more.map((one) => `${' '.repeat(LABEL)}${one}`)];
}
