import { readWork } from '../../../config/work/read-work.ts';
import type { Work } from '../../../config/work/work.ts';
import type { Feature } from '../../../domain/entities/feature.ts';
import { runningBuilds } from '../../../orchestration/feature-build/build-locks.ts';
import { lastBuilds } from '../../../orchestration/feature-build/last-builds.ts';
import { featureJson, stateJson } from '../../../orchestration/session/feature-json.ts';
import { findLeft, isDone, NOT_REACHED } from '../../../orchestration/session/next-runnable.ts';
import { readFeatures as readRecorded } from '../../../store/ledger/tables/feature-table.ts';
import { mergeListedFeatures } from '../../../verification/definition/merge-listed-features.ts';
import type { OpenedProject } from './read-context.ts';
import type { FeaturesAnswer } from './schemas.ts';

const NO_WORK: Work = { tasks: [], features: [], faults: [] };

/** The features in files and ledger. Only reads: edits of the list are recorded by commands and hooks. */
export async function readDefinitions({ checkout, ledger, project }: OpenedProject) {
  const recorded = new Map(readRecorded(ledger, project).map((one) => [one.id, one]));
  const read = checkout === undefined ? NO_WORK : await readWork(checkout);
  const work = mergeListedFeatures(read, recorded.values());
  // Without a checkout, features defined in files are known from the ledger alone.
  const ids = new Set(work.features.map(({ id }) => id));
  const gone = [...recorded.values()].filter(({ id }) => !ids.has(id));
  const all = mergeListedFeatures(
    work,
    gone.map((one) => ({ ...one, defined_in: null })),
  );
  return { work: all, recorded };
}

export async function readFeatures(opened: OpenedProject): Promise<FeaturesAnswer> {
  const { ledger, project, dataFolder } = opened;
  const { work, recorded } = await readDefinitions(opened);
  const running = new Set(runningBuilds(dataFolder, project).map(({ feature }) => feature));
  const builds = lastBuilds(ledger, project, running);
  const states = work.features.map((one) => recorded.get(one.id) ?? pending(one.id, one.dependencies));
  const waiting = new Map(findLeft(states).map(({ feature, why }) => [feature, why]));
  const done = new Set(states.filter(isDone).map(({ id }) => id));
  return {
    features: work.features.map((one) => {
      const { evidence: _, files: __, notes: ___, ...state } = stateJson(recorded.get(one.id));
      const { description: ____, ...definition } = featureJson(one);
      const build = builds.get(one.id);
      const why = waiting.get(one.id);
      return {
        ...definition,
        ...state,
        running: running.has(one.id),
        waits_for: one.dependencies.filter((id) => !done.has(id)),
        why_waiting: done.has(one.id) || why === NOT_REACHED ? null : (why ?? null),
        last_build: build ?? null,
      };
    }),
    faults: work.faults.length,
  };
}

function pending(id: string, dependencies: string[]): Feature {
  return {
    id,
    name: '',
    description: '',
    priority: 3,
    status: 'pending',
    task_type: 'feature',
    complexity: 5,
    tasks: [],
    dependencies,
    acceptance_criteria: [],
    verify: null,
    ui: false,
    files: [],
    notes: '',
    extra: {},
    tested: false,
    evidence: [],
    retries: 0,
    blocked_reason: null,
    tested_tree: null,
    tested_in: null,
    closed: false,
    defined_in: null,
  };
}
