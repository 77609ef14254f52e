import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readWork } from '../../../config/work/read-work.ts';
import type { Work } from '../../../config/work/work.ts';
import type { Feature } from '../../../domain/entities/feature.ts';
import type { ListEditor } from '../../../domain/feature-list/list-rights.ts';
import { didYouMean, nearestWord } from '../../../domain/nearest-word.ts';
import type { ChangeActor } from '../../../enforcement/feature-list/change-actor.ts';
import { actingSubagents, currentActor } from '../../../enforcement/feature-list/change-actor.ts';
import { editFeatures } from '../../../enforcement/feature-list/edit-features.ts';
import { listNoticesForPerson } from '../../../enforcement/feature-list/format-reconciliation.ts';
import { type FeatureListContext, listContext } from '../../../enforcement/feature-list/known-list.ts';
import { openFeatures } from '../../../enforcement/feature-list/open-features.ts';
import type { PlannedEdit } from '../../../enforcement/feature-list/plan-feature-edit.ts';
import { actorName } from '../../../enforcement/feature-list/reconcile-feature-list.ts';
import { describeListFaults } from '../../../enforcement/feature-list/record-list-violation.ts';
import { withDefined } from '../../../enforcement/feature-list/with-defined.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { CliContext } from '../program/cli-command.ts';
import { requireRoot } from '../task/open-work.ts';
import { personName } from '../verification/person-name.ts';

/** Plans a change of the current features. `tasks` are ids that a listed feature cannot have. */
export type Asked = (
  current: readonly Feature[],
  editor: ListEditor,
  tasks: ReadonlySet<string>,
) => PlannedEdit;

export interface ChangedFeatures {
  current: readonly Feature[];
  changed: readonly Feature[];
  removed: readonly string[];
  notices: string[];
}

/** The result of a change, without making it. */
export async function tryFeatureChange(context: CliContext, asked: Asked): Promise<ChangedFeatures> {
  const root = requireRoot(context);
  const project = await requireProject(context);
  const work = await readWork(root);
  const { features, notices } = await openFeatures(context, root);
  const editor = existsSync(join(project.home, 'ledger.db'))
    ? editorOf(context, await openListContext(context, root))
    : await unrecordedEditor(context);
  const current = await withDefined(context, work, [...features.values()]);
  return settle(current, asked(current, editor, taskIds(work)), notices);
}

/** Changes features in ledger and list, all or nothing. */
export async function changeFeatures(context: CliContext, asked: Asked): Promise<ChangedFeatures> {
  const root = requireRoot(context);
  await requireProject(context);
  const list = await openListContext(context, root);
  const tasks = taskIds(await readWork(root));
  const changedBy = currentActor(list, context.env);
  const editor = editorOf(context, list, changedBy);
  const who =
    editor.kind === 'agent' && changedBy.inWindow
      ? { by: 'agent' as const, actor: actorName(changedBy.actor) }
      : { by: 'person' as const, actor: personName(context.env) };
  const { planned, current, reconciled } = await editFeatures(list, changedBy, who, (features) =>
    asked(features, editor, tasks),
  );
  return settle(current, planned, listNoticesForPerson(reconciled));
}

/** The feature with this id; the error suggests a similar one. */
export function requireFeature(current: readonly Feature[], id: string): Feature {
  const found = current.find((one) => one.id === id);
  if (found) return found;
  const meant = nearestWord(
    id,
    current.map((one) => one.id),
  );
  throw new GuardKitError({
    code: 'feature.unknown',
    kind: 'input',
    message: `No feature ${id.slice(0, 80)}.${didYouMean(meant)}`,
    hint: 'List them with `guardkit feature list`.',
  });
}

async function requireProject(context: CliContext): Promise<{ home: string; id: string }> {
  const { home, project } = await context.workspace();
  if (project.known) return { home, id: project.id };
  throw new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: `GuardKit is not set up in this project: ${project.why}.`,
    hint: project.hint,
  });
}

async function openListContext(context: CliContext, root: string): Promise<FeatureListContext> {
  const { home, id } = await requireProject(context);
  return listContext(await context.ledger(), id, root, home);
}

/** A person at a terminal counts as one even while an agent acts here; a caller without a terminal counts as the agent. */
function editorOf(
  context: CliContext,
  list: FeatureListContext,
  changedBy = currentActor(list, context.env),
): ListEditor {
  if (context.findPerson().present || !changedBy.inWindow) return { kind: 'person' };
  return agentEditor(changedBy, list);
}

function agentEditor(
  { actor }: Extract<ChangeActor, { inWindow: true }>,
  context: FeatureListContext,
): ListEditor {
  return { kind: 'agent', type: actor.type, beside: actingSubagents(context) };
}

async function unrecordedEditor(context: CliContext): Promise<ListEditor> {
  const isPerson = context.findPerson().present || (await context.findAgent()) === undefined;
  return isPerson ? { kind: 'person' } : { kind: 'agent', type: undefined };
}

/** Without tasks that are features themselves. */
function taskIds({ tasks, features }: Work): ReadonlySet<string> {
  const own = new Set(features.map(({ id }) => id));
  return new Set(tasks.map(({ id }) => id).filter((id) => !own.has(id)));
}

function settle(current: readonly Feature[], planned: PlannedEdit, notices: string[]): ChangedFeatures {
  if (planned.ok) return { current, changed: planned.changed, removed: planned.removed, notices };
  throw new GuardKitError({
    code: 'feature.refused',
    kind: 'refused',
    message: `${describeListFaults(planned.faults)}.`,
    hint: [...new Set(planned.faults.map(({ guidance }) => guidance)), 'Nothing changed.']
      .slice(-4)
      .join(' '),
    faults: planned.faults,
  });
}
