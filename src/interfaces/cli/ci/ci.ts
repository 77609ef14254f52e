import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { systemClock } from '../../../platform/clock.ts';
import { removeTree } from '../../../platform/files/file-trees.ts';
import { isInside } from '../../../platform/files/path-inside.ts';
import type { GitFolder } from '../../../platform/git/git-folder.ts';
import { Repository } from '../../../platform/git/repository.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { openLedger } from '../../../store/ledger/open-ledger.ts';
import { makeAttestation } from '../../../verification/attestation/make-attestation.ts';
import { findingsOf } from '../../../verification/ci/branch-findings.ts';
import { CI_SYSTEMS, type CiSystem, ciSystem, namedBase } from '../../../verification/ci/ci-event.ts';
import { findBranch } from '../../../verification/ci/find-branch.ts';
import { type BranchVerification, verifyBranch } from '../../../verification/ci/verify-branch.ts';
import { trustedKeys } from '../attestation/trusted-keys.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { describeEvent } from '../verification/describe-verification.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { recordPrograms } from '../verification/record-programs.ts';
import { branchJson, branchText, isTested } from './describe-branch.ts';
import { commandMessage, commandProperty, plainLog } from './escape.ts';
import { githubAnnotations } from './finding-reports.ts';
import { addToSummary, requireReportsFolder, writeReports } from './write-reports.ts';

const FORMATS = [...CI_SYSTEMS, 'text'] as const;

export const ci = defineCommand({
  name: 'ci',
  summary: 'Verify a branch under the rules of its base',
  options: [
    ['--base <ref>', 'Base commit (default: where the branch forked from its target)'],
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

/** The tested claims as unsigned attestations, one in each line, for a job that runs no code of the branch to sign. */
async function unsignedResults(
  verified: BranchVerification,
  { repository, ledger, now }: { repository: Repository; ledger: Ledger; now: number },
): Promise<string> {
  const { branch, claims, project, sandbox } = verified;
  const lines: string[] = [];
  for (const one of claims) {
    if (!isTested(verified, one)) continue;
    const { envelope } = await makeAttestation({
      repository,
      ledger,
      project,
      id: one.claim.id,
      commit: branch.head,
      key: undefined,
      sandboxed: sandbox.available,
      by: 'guardkit ci',
      now,
    });
    lines.push(`${JSON.stringify(envelope)}\n`);
  }
  return lines.join('');
}

/** Runs with an empty data folder, so that no earlier record of this machine, real or forged, has an effect. */
async function inTemporaryHome<Result>(
  { commonDir }: Pick<GitFolder, 'commonDir'>,
  use: (home: string, ledger: Ledger) => Promise<Result>,
): Promise<Result> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-ci-')));
  try {
    const ledger = openLedger({ path: join(home, 'ledger.db') });
    try {
      return await use(home, ledger);
    } finally {
      ledger.close();
    }
  } finally {
    removeTree(home);
    forgetWorktrees(commonDir, home);
  }
}

/** Git would list the verification workspaces of this run until it next cleans up. */
function forgetWorktrees(commonDir: string, home: string): void {
  const folder = join(commonDir, 'worktrees');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const link = join(folder, name, 'gitdir');
    if (existsSync(link) && isInside(readFileSync(link, 'utf8').trim(), home)) removeTree(join(folder, name));
  }
}
