import { type ProjectView, projectView } from '../../../config/detection/project-view.ts';
import { findPythonModules } from '../../../config/detection/python-modules.ts';
import { configLines, type VerifySection } from '../../../config/project/config-templates.ts';
import { type DetectedVerify, detectIn, undetectedHint } from '../../../config/project/detect-verify.ts';
import { readProjectConfig } from '../../../config/project/project-config.ts';
import { requireValid } from '../../../config/yaml/yaml-file.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { Repository } from '../../../platform/git/repository.ts';
import type { CliContext } from '../program/cli-command.ts';
import type { InitTrial } from './init-trial.ts';

export interface ProposalRequest {
  root: string;
  /** The new project id. */
  project: string;
  /** A person is there to answer questions. */
  asking: boolean;
  yes: boolean;
  dryRun: boolean;
  /** Whether commands may be run once, and for how long. */
  try: boolean;
  tryTimeoutMs: number;
}

/** How a new configuration will verify, and what is shown of it. */
export interface VerifyProposal {
  section: VerifySection | undefined;
  lines: string[];
  json: { verify: unknown; trial: unknown };
}

/** Detects the project's commands, runs them once if wanted, and decides what is written. */
export async function proposeVerify(context: CliContext, request: ProposalRequest): Promise<VerifyProposal> {
  const view = await viewOf(context, request.root);
  const detected = detectIn(view);
  if (!detected)
    return {
      section: undefined,
      lines: [undetectedHint(view)],
      json: { verify: null, trial: null },
    };
  if (request.asking && !(await isAccepted(context, detected)))
    return {
      section: undefined,
      lines: ['Tests: fill in verify: in .guardkit/config.yaml'],
      json: { verify: null, trial: null },
    };
  const untried = (why: string[]): VerifyProposal => ({
    section: { verify: detected.verify, remarks: detected.leftOut ?? [] },
    lines: [...shown(detected), ...why],
    json: { verify: detected.verify, trial: null },
  });
  if (!(await wantsTrial(context, request))) return untried(request.dryRun ? [] : [NOT_TRIED]);
  const { tryProposal } = await import('./init-trial.ts');
  try {
    const trial = await tryProposal(context, detected, request);
    return trial ? described(detected, trial) : untried([NO_COMMIT]);
  } catch (error) {
    if (!(error instanceof GuardKitError) || error.kind !== 'outside') throw error;
    return untried([`These commands could not be tried: ${error.message}`]);
  }
}

/** The commands of an existing configuration, which is kept. */
export async function configuredVerify(root: string): Promise<VerifyProposal> {
  const config = requireValid(await readProjectConfig(root));
  const command = config.verify?.tests?.command;
  return {
    section: undefined,
    lines: [
      command === undefined
        ? 'Tests: .guardkit/config.yaml names no test command; add tests: under verify:.'
        : `Tests: ${command}`,
    ],
    json: { verify: config.verify ?? null, trial: null },
  };
}

const NOT_REQUIRED =
  'Until then .guardkit/config/quality-gates.yaml does not require coverage (coverage_required: false).';
const NO_COMMIT = 'These commands were not tried: the repository has no commit yet.';
const NOT_TRIED = 'These commands were not tried. `guardkit verify` runs them.';

async function viewOf(context: CliContext, root: string): Promise<ProjectView> {
  const repository = await Repository.open(root);
  // Ignored files, such as a local lock file, are not in a fresh checkout.
  const list = async (...options: string[]) =>
    (await repository.run(['ls-files', '-z', ...options])).split('\0').filter((path) => path !== '');
  const tracked = new Set(await list('--cached'));
  const others = await list('--others', '--exclude-standard');
  const files = [...tracked, ...others.filter((path) => !isLocalLock(path, tracked))];
  const isPython = files.some((path) => path.endsWith('.py'));
  const pythonModules = isPython ? await findPythonModules(context.env) : new Map();
  return projectView({ root, files, path: context.env.PATH, pythonModules });
}

const LOCK_FILE = /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

/** A lock file that somebody's install left in a project that has none: changes of dependencies do not update it. */
function isLocalLock(path: string, tracked: ReadonlySet<string>): boolean {
  return LOCK_FILE.test(path) && tracked.has(path.replace(/[^/]+$/, 'package.json'));
}

async function isAccepted(context: CliContext, detected: DetectedVerify): Promise<boolean> {
  const lines = configLines(detected.verify).slice(1).join('\n');
  const answer = await context.ask(
    `Detected ${detected.kind}. GuardKit would run:\n${lines}\nIs this right? [Y/n] `,
  );
  return !/^n/i.test(answer.trim());
}

/** Asks a person unless --yes; otherwise runs nothing. */
async function wantsTrial(context: CliContext, request: ProposalRequest): Promise<boolean> {
  if (!request.try || request.dryRun) return false;
  if (request.yes) return true;
  if (!request.asking) return false;
  const limit = Math.round(request.tryTimeoutMs / 60_000);
  const answer = await context.ask(`Run them once now, for at most ${limit} minutes? [Y/n] `);
  return !/^n/i.test(answer.trim());
}

function shown({ kind, verify, notes, leftOut = [] }: DetectedVerify): string[] {
  const { tests, coverage } = verify;
  return [
    `Tests: ${tests?.command} (detected: ${kind})`,
    ...(coverage
      ? [`Coverage: ${coverage.command ?? `${[coverage.report].flat().join(', ')}, from the same run`}`]
      : []),
    ...leftOut,
    ...notes,
    ...(coverage ? [] : [NOT_REQUIRED]),
  ];
}

function described(detected: DetectedVerify, { section, lines, json }: InitTrial): VerifyProposal {
  const { verify, inactive } = section;
  const unmeasured =
    !verify || verify.coverage || inactive?.coverage ? [] : [...detected.notes, NOT_REQUIRED];
  const { leftOut = [] } = detected;
  return {
    section: { ...section, remarks: [...(section.remarks ?? []), ...leftOut] },
    lines: [...lines, ...leftOut, ...unmeasured],
    json: { verify: verify ?? null, trial: json },
  };
}
