import type { FoundWork } from '../../config/work/find-work.ts';
import { findWork } from '../../config/work/find-work.ts';
import { isNamedFor, type Work } from '../../config/work/work.ts';
import type { WorkFault } from '../../config/work/work-fault.ts';
import { isWorkId } from '../../domain/entities/work-id.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { withoutExceptions } from '../definition/without-exceptions.ts';
import type { Branch } from './find-branch.ts';

/** Work that a branch claims to have done. */
export type Claim =
  /** The base defines it. */
  | { type: 'on-base'; id: string }
  /** The branch itself adds it: judged by the base's gates, without its own commands and exceptions. */
  | { type: 'added'; id: string; work: FoundWork }
  /** Nothing is claimed: the project's own checks and gates run. */
  | { type: 'project'; id: typeof PROJECT_CLAIM };

/** A claim that cannot be judged. */
export interface FaultyClaim {
  /** The id, or an unusable text. */
  value: string;
  /** The commit with the trailer; undefined for an option. */
  commit: string | undefined;
  code: 'not-an-id' | 'unknown' | 'invalid';
  faults: readonly WorkFault[];
}

export interface Claims {
  claims: readonly Claim[];
  faulty: readonly FaultyClaim[];
}

export const CLAIM_TRAILER = 'Guardkit-Task';
/** The id of a branch's changes when it claims no work. */
export const PROJECT_CLAIM = 'PROJECT';

/** More than a branch can hold; each costs a verification. */
const MAX_CLAIMS = 50;

/** The work that base and branch define. */
export interface BranchWork {
  base: Work;
  head: Work;
  /** Whether the branch changes anything besides rules and plans. */
  hasChanges: boolean;
  /** Paths that the branch changes. */
  changed: ReadonlySet<string>;
}

interface Named {
  value: string;
  commit: string | undefined;
}

/** Claims from trailers, from options, and from tasks and features that the branch adds. */
export async function findClaims(
  repository: Repository,
  { base, head }: Branch,
  work: BranchWork,
  asked: readonly string[],
): Promise<Claims> {
  const named: Named[] = [
    ...asked.map((value) => ({ value, commit: undefined })),
    ...(await readTrailers(repository, base.commit, head)),
  ];
  const claims = new Map<string, Claim>();
  const faulty: FaultyClaim[] = [];
  for (const one of named) {
    if (claims.has(one.value)) continue;
    const found = claimOf(one, work);
    if ('type' in found) claims.set(found.id, found);
    else faulty.push(found);
  }
  for (const [file, faults] of faultyFiles(work)) {
    if (!faulty.some((one) => one.faults.some((fault) => fault.file === file)))
      faulty.push({ value: file, commit: undefined, code: 'invalid', faults });
  }
  // A branch of plans alone does no work yet.
  const added = work.hasChanges ? addedIds(work) : [];
  for (const id of added) {
    if (claims.has(id) || isCovered(claims, work.head, id)) continue;
    const found = claimOf({ value: id, commit: undefined }, work);
    if ('type' in found) claims.set(id, found);
    else faulty.push(found);
  }
  if (claims.size > MAX_CLAIMS) throw tooMany(claims.size);
  const all = [...claims.values()];
  return { claims: all.length > 0 ? all : [{ type: 'project', id: PROJECT_CLAIM }], faulty };
}

function claimOf({ value, commit }: Named, work: { base: Work; head: Work }): Claim | FaultyClaim {
  const fault = (code: FaultyClaim['code'], faults: readonly WorkFault[] = []): FaultyClaim => ({
    value: value.slice(0, 200),
    commit,
    code,
    faults,
  });
  if (!isWorkId(value)) return fault('not-an-id');
  if (isDefined(work.base, value)) return { type: 'on-base', id: value };
  if (!isDefined(work.head, value)) {
    const faults = work.head.faults.filter(({ file }) => isNamedFor(file, value));
    return faults.length > 0 ? fault('invalid', faults) : fault('unknown');
  }
  const found = findWork(work.head, value);
  if (found.faults.length > 0) return fault('invalid', found.faults);
  return { type: 'added', id: value, work: withoutExceptions(found) };
}

/** Changed files with faults: nobody can say what they claim. */
function faultyFiles({ head, changed }: BranchWork): Map<string, WorkFault[]> {
  const files = new Map<string, WorkFault[]>();
  for (const fault of head.faults)
    if (changed.has(fault.file)) files.set(fault.file, [...(files.get(fault.file) ?? []), fault]);
  return files;
}

function isDefined({ tasks, features }: Work, id: string): boolean {
  return features.some((one) => one.id === id || one.tasks.includes(id)) && hasId({ tasks, features }, id);
}

function hasId({ tasks, features }: Pick<Work, 'tasks' | 'features'>, id: string): boolean {
  return tasks.some((one) => one.id === id) || features.some((one) => one.id === id);
}

/** New features, and new tasks of features that the base has. */
function addedIds(work: { base: Work; head: Work }): string[] {
  const features = work.head.features.filter(({ id }) => !hasId(work.base, id));
  const inside = new Set(features.flatMap(({ tasks }) => tasks));
  const tasks = work.head.tasks.filter(({ id }) => !hasId(work.base, id) && !inside.has(id));
  return [...features, ...tasks].map(({ id }) => id);
}

/** Whether a feature's only task, or the feature of a task, is claimed. */
function isCovered(claims: ReadonlyMap<string, Claim>, { features }: Work, id: string): boolean {
  const own = features.find((feature) => feature.id === id);
  if (own && own.tasks.length > 0) return own.tasks.every((task) => claims.has(task));
  return features.some((feature) => feature.tasks.includes(id) && claims.has(feature.id));
}

/** A project as work, for a branch that claims none. */
export function projectWork(): FoundWork {
  const plain = { task_type: 'feature', complexity: 5, ui: false, dependencies: [], criteria: [] };
  return {
    feature: {
      ...plain,
      id: PROJECT_CLAIM,
      name: 'Project',
      description: '',
      priority: 3,
      tasks: [],
      path: undefined,
      files: [],
    },
    tasks: [
      {
        ...plain,
        id: PROJECT_CLAIM,
        title: 'Project',
        status: 'in_progress',
        removes_tests: [],
        changes_tests: [],
        tests_may_pass_on_base: [],
        extra: {},
        path: '',
      },
    ],
    faults: [],
  };
}

async function readTrailers(repository: Repository, base: string, head: string): Promise<Named[]> {
  // A NUL ends each commit; no commit message can contain one.
  const format = `%H %(trailers:key=${CLAIM_TRAILER},valueonly,unfold,separator=%x0a)`;
  const logged = await repository.run(['log', '-z', `--format=${format}`, `${base}..${head}`, '--']);
  return logged
    .split('\0')
    .filter((record) => record !== '')
    .flatMap((record) => {
      const space = record.indexOf(' ');
      const commit = record.slice(0, space);
      return record
        .slice(space + 1)
        .split('\n')
        .flatMap((line) => line.split(','))
        .map((value) => ({ value: value.trim(), commit }))
        .filter(({ value }) => value !== '');
    });
}

function tooMany(count: number): GuardKitError {
  return new GuardKitError({
    code: 'ci.too-many-claims',
    kind: 'refused',
    message: `This branch claims ${count} tasks and features; at most ${MAX_CLAIMS} are verified at once.`,
    hint: 'Split the branch.',
  });
}
