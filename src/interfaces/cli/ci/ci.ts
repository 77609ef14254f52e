import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { systemClock } from '../../../platform/clock.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { findingsOf } from '../../../verification/ci/branch-findings.ts';
import { CI_SYSTEMS, type CiSystem, ciSystem, namedBase } from '../../../verification/ci/ci-event.ts';
import { findBranch } from '../../../verification/ci/find-branch.ts';
import { type BranchVerification, verifyBranch } from '../../../verification/ci/verify-branch.ts';
import { trustedKeys } from '../attestation/trusted-keys.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { describeEvent } from '../verification/describe-verification.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { recordPrograms } from '../verification/record-programs.ts';
import { branchJson, branchText } from './describe-branch.ts';
import { commandMessage, commandProperty, plainLog } from './escape.ts';
import { githubAnnotations } from './github-annotations.ts';
import { inTemporaryHome } from './temporary-home.ts';
import { unsignedResults } from './unsigned-results.ts';
import { addToSummary, requireReportsFolder, writeReports } from './write-reports.ts';

const FORMATS = [...CI_SYSTEMS, 'text'] as const;

export const ci = defineCommand({
  name: 'ci',
  summary: 'Verify a branch under the rules of its base',
  options: [
    ['--base <ref>', 'Base commit (default: where the branch left its target)'],
    ['--feature <id>', 'Also verify this feature or task', 'repeatable'],
    ['--format <format>', 'github, gitlab or text (default: detected)'],
    ['--reports <folder>', 'Write JUnit, GitLab, Markdown and HTML reports here'],
    ['--require-attestation', 'Require a trusted signature for each claim'],
    ['--trust <file>', 'PEM file with more public keys to trust', 'repeatable'],
  ],
  schema: z.object({
    base: z.string().min(1).optional(),
    feature: z.array(z.string().min(1)).default([]),
    format: z.enum(FORMATS).optional(),
    reports: z.string().min(1).optional(),
    requireAttestation: z.boolean().default(false),
    trust: z.array(z.string().min(1)).default([]),
    json: z.boolean().default(false),
  }),
  run: runCi,
});

interface CiInput {
  base?: string | undefined;
  feature: readonly string[];
  format?: (typeof FORMATS)[number] | undefined;
  reports?: string | undefined;
  requireAttestation: boolean;
  trust: readonly string[];
  json: boolean;
}

async function runCi(context: CliContext, input: CiInput): Promise<Report> {
  const system = ciSystem(context.env);
  const format = input.format ?? system ?? 'text';
  try {
    const repository = await Repository.open(context.cwd);
    const reports = requireReportsFolder(context.cwd, repository.root, input.reports);
    const { verified, results } = await verifyHead(context, repository, system, input);
    const findings = findingsOf(verified);
    const page = (folder: string) =>
      void context.writeCiReport?.({
        folder,
        project: basename(repository.root),
        result: branchJson(verified),
      });
    const notices = [
      ...(reports === undefined ? [] : writeReports(reports, verified, { findings, results, page })),
      ...(format === 'github' ? addToSummary(context.env, verified) : []),
    ];
    return {
      json: branchJson(verified),
      text: [
        plainLog(branchText(verified)),
        ...(format === 'github' ? githubAnnotations(findings) : []),
      ].join('\n'),
      notices: notices.map(plainLog),
      exitCode: verified.outcome === 'pass' ? 0 : 1,
    };
  } catch (error) {
    if (!(error instanceof GuardKitError)) throw error;
    if (format === 'github' && !input.json) context.stdout.write(`${annotateError(error)}\n`);
    throw harmless(error);
  }
}

async function verifyHead(
  context: CliContext,
  repository: Repository,
  system: CiSystem | undefined,
  { base, feature, requireAttestation, trust }: CiInput,
): Promise<{ verified: BranchVerification; results: string }> {
  const { env } = context;
  const named = namedBase(system, env, () => readEvent(env.GITHUB_EVENT_PATH));
  const branch = await findBranch(repository, base, named);
  const sandbox = await context.findSandbox();
  const trusted = trustedKeys(context.cwd, trust);
  const ending = endOnSignal();
  try {
    return await inTemporaryHome(repository.folder, async (home, ledger) => {
      const now = systemClock();
      const verified = await verifyBranch({
        repository,
        branch,
        asked: feature,
        home,
        ledger,
        env,
        sandbox,
        now,
        trusted,
        requireAttestation,
        // The steps before this one have put the project's toolchains on the PATH, such as actions/setup-python.
        recordPrograms: (project) =>
          recordPrograms(context, { repository, project, home, inCi: system !== undefined }),
        signal: ending.signal,
        emit(event) {
          if (!ending.signal.aborted) context.progress(plainLog(describeEvent(event)));
        },
      });
      return { verified, results: await unsignedResults(verified, { repository, ledger, now }) };
    });
  } finally {
    ending.forget();
  }
}

/** The event that started the workflow; undefined if it cannot be read, as the variables may be enough. */
function readEvent(path: string | undefined): unknown {
  if (!path) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function annotateError({ code, message, hint }: GuardKitError): string {
  return `::error title=${commandProperty(`GuardKit ${code}`)}::${commandMessage(`${message}\n${hint}`)}`;
}

/** Messages may quote the branch's files, and the log runs commands. */
function harmless(error: GuardKitError): GuardKitError {
  const { code, kind, faults } = error;
  return new GuardKitError({
    code,
    kind,
    message: plainLog(error.message),
    hint: plainLog(error.hint),
    ...(faults ? { faults } : {}),
    cause: error,
  });
}
