import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readWork } from '../../../config/work/read-work.ts';
import type { Work } from '../../../config/work/work.ts';
import { formatWorkFault, type WorkFault } from '../../../config/work/work-fault.ts';
import type { CriterionIds } from '../../../domain/criteria/assign-criterion-ids.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import { loadRuleSources, type RuleSources } from '../../../rules/load-rule-sources.ts';
import { knownTaskTypes } from '../../../rules/resolve-quality-gates.ts';
import { oneLine, plural } from '../output/printable.ts';
import type { CliContext } from '../program/cli-command.ts';

export interface OpenedWork {
  root: string;
  work: Work;
  sources: RuleSources;
}

/** The project's tasks and features, checked against the rules in force. */
export async function openWork(context: CliContext): Promise<OpenedWork> {
  const root = requireRoot(context);
  const { store } = await context.workspace();
  const sources = await loadRuleSources(root, store);
  return { root, sources, work: await readWork(root, { taskTypes: knownTaskTypes(sources) }) };
}

export function requireRoot({ cwd }: CliContext): string {
  const root = findGitFolder(cwd)?.root;
  if (root !== undefined) return root;
  throw new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: 'This folder is not in a git repository, so it has no tasks and features.',
    hint: 'Run the command inside the project, or make it a repository with `git init`.',
  });
}

/** A fault in one line, even if its text contains line breaks. */
export function faultLine(fault: WorkFault): string {
  return `✗ ${oneLine(formatWorkFault(fault), 1000)}`;
}

/** A notice that some files have faults. */
export function faultNotice({ faults }: Work): string[] {
  return faults.length === 0
    ? []
    : [
        `${plural(faults.length, 'error')} in task and feature files: \`guardkit feature validate\` lists them.`,
      ];
}

/** The ids that verification gave to a task's criteria. A read must not create a ledger. */
export async function knownCriteria(context: CliContext): Promise<(task: string) => CriterionIds> {
  const { home, project } = await context.workspace();
  if (!project.known || !existsSync(join(home, 'ledger.db'))) return () => [];
  const ledger = await context.ledger();
  const { knownCriterionIds } = await import('../../../verification/criteria.ts');
  return (task) => knownCriterionIds(ledger, project.id, task);
}
