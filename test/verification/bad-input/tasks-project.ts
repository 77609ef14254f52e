import type { Evidence } from '../../../src/domain/entities/evidence.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { BASE_FILES, HONEST_CHANGE, ONE_PROCESS, VerifiedProject } from '../../support/verified-project.ts';

/** The text of a task; `verify` is YAML, indented by one level. */
export function task(id: string, verify = '', frontMatter = ''): string {
  const block = verify === '' ? '' : `verify:\n${verify.replace(/^(?=.)/gm, '  ')}\n`;
  return `---\nid: ${id}\ntitle: Work\ntask_type: refactor\ncomplexity: 2\n${frontMatter}${block}---\n# Work\n\n## Acceptance Criteria\n- AC-001: it works\n`;
}

/** One base with separate commands for every task, so that many bad tasks share a project. */
export function projectOfTasks(
  verifies: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): VerifiedProject {
  const tasks = Object.entries(verifies).map(([id, verify]) => [`tasks/${id}.md`, task(id, verify)]);
  const project = new VerifiedProject({
    ...BASE_FILES,
    ...ONE_PROCESS,
    ...Object.fromEntries(tasks),
    ...files,
  });
  project.write(HONEST_CHANGE);
  return project;
}

/** The recorded runs on the candidate for a task, oldest first. */
export function evidenceOf(project: VerifiedProject, id: string): Evidence[] {
  return recordedEvidence(project).filter(
    ({ feature_id, task_id, tree_is }) => (feature_id === id || task_id === id) && tree_is === 'candidate',
  );
}

/** Test runs on the base only. */
export function baseRuns(project: VerifiedProject): Evidence[] {
  return recordedEvidence(project).filter(({ check, tree_is }) => check === 'tests' && tree_is === 'base');
}

function recordedEvidence(project: VerifiedProject): Evidence[] {
  const ledger = openLedger({ path: project.sandbox.path('data', 'ledger.db') });
  try {
    return ledger
      .projects()
      .flatMap((id) => ledger.entries(id, { kind: 'evidence_recorded' }))
      .map(({ body }) => body as unknown as Evidence);
  } finally {
    ledger.close();
  }
}

/** Whether the ledger is intact. */
export function isLedgerWhole(project: VerifiedProject): boolean {
  const ledger = openLedger({ path: project.sandbox.path('data', 'ledger.db') });
  try {
    return ledger.verify('calc-1234').ok;
  } finally {
    ledger.close();
  }
}

export function verifications(project: VerifiedProject): unknown[] {
  const ledger = openLedger({ path: project.sandbox.path('data', 'ledger.db') });
  try {
    return ledger.entries('calc-1234', { kind: 'verification_recorded' });
  } finally {
    ledger.close();
  }
}
