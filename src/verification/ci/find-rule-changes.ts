import {
  type BranchWaiver,
  isExpired,
  isWaiverFile,
  readWaiver,
} from '../../config/waiver-files/waiver-file.ts';
import { isDefinitionPath, isWorkPath } from '../../domain/protection/project-paths.ts';
import { pathGlobMatcher, protectionOf } from '../../domain/protection/protected-paths.ts';
import { changedPaths, type PathChange } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { Acceptances } from '../definition/acceptances.ts';
import { definitionTexts } from './work-of-commit.ts';

/** A change to something that decides how this branch, or work after it, is judged. */
export interface RuleChange extends PathChange {
  kind: 'rule' | 'waiver' | 'workflow';
  waiver: BranchWaiver | undefined;
}

/** Steps of CI systems: who changes them can switch off `guardkit ci`. */
const WORKFLOW =
  /^(?:\.github\/(?:workflows|actions)\/.+|\.gitlab-ci\.ya?ml|\.gitlab\/ci\/.+|\.circleci\/.+|\.buildkite\/.+|\.woodpecker(?:\/.+|\.ya?ml)|\.drone\.ya?ml|\.travis\.yml|azure-pipelines\.ya?ml|bitbucket-pipelines\.yml|jenkinsfile)$/s;

/** The waivers on the base, sorted by file. */
export class Waivers {
  readonly active: readonly BranchWaiver[];
  readonly expired: readonly BranchWaiver[];
  readonly #matchers: readonly { waiver: BranchWaiver; fits: (path: string) => boolean }[];

  constructor(all: readonly BranchWaiver[], now: number) {
    this.active = all.filter((waiver) => !isExpired(waiver, now));
    this.expired = all.filter((waiver) => isExpired(waiver, now));
    this.#matchers = this.active.flatMap((waiver) =>
      waiver.paths.map((glob) => ({ waiver, fits: pathGlobMatcher(glob) })),
    );
  }

  /** Throws if a waiver on the base cannot be read: what it permits is then unknown. */
  static async read(repository: Repository, base: string, now: number): Promise<Waivers> {
    const texts = definitionTexts(repository, base, isWaiverFile);
    const waivers = await Promise.all([...texts].map(([file, text]) => readWaiver(file, text)));
    return new Waivers(waivers, now);
  }

  covering(path: string): BranchWaiver | undefined {
    return this.#matchers.find(({ fits }) => fits(path))?.waiver;
  }

  /** An expired waiver that would cover a path. */
  expiredFor(path: string): BranchWaiver | undefined {
    return this.expired.find(({ paths }) => paths.some((glob) => pathGlobMatcher(glob)(path)));
  }
}

/** Accepts what the base's waivers cover, and nothing that a ledger accepts. */
export class WaivedPaths extends Acceptances {
  readonly #waivers: Waivers;

  constructor(waivers: Waivers) {
    super([]);
    this.#waivers = waivers;
  }

  override has(path: string): boolean {
    return this.#waivers.covering(path) !== undefined;
  }
}

export interface BranchChanges {
  all: readonly PathChange[];
  /** Something outside of rules, tasks and features. */
  hasWork: boolean;
  rules: readonly RuleChange[];
  /** Rules of the target branch that are newer than the base's. */
  outdated: readonly string[];
  /** Changed or removed tasks and features of the base; the base's version counts. */
  work: readonly PathChange[];
  /** Changed files that act on developers' machines, such as settings of agents. */
  settings: readonly PathChange[];
}

export async function findBranchChanges(
  repository: Repository,
  { base, head, target }: { base: string; head: string; target: string },
  waivers: Waivers,
): Promise<BranchChanges> {
  const all = await changedPaths(repository, base, head);
  const since = base === target ? [] : await changedPaths(repository, base, target);
  const rules = all.flatMap((change): RuleChange[] => {
    const kind = ruleKind(change.path);
    return kind === undefined ? [] : [{ ...change, kind, waiver: waivers.covering(change.path) }];
  });
  return {
    all,
    hasWork: all.some(({ path }) => ruleKind(path) === undefined && !isWorkPath(path)),
    rules,
    outdated: since.filter(isNewerRule).map(({ path }) => path),
    work: all.filter(({ path, change }) => isWorkPath(path) && change !== 'added'),
    settings: all.filter(({ path }) => isSetting(path)),
  };
}

/** Compared in lower case: on some machines `.GuardKit` is the same folder. */
function ruleKind(path: string): RuleChange['kind'] | undefined {
  const folded = path.toLowerCase();
  if (WORKFLOW.test(folded)) return 'workflow';
  if (folded.startsWith('.guardkit/waivers')) return 'waiver';
  if (folded === '.guardkit' || (isDefinitionPath(folded) && !isWorkPath(path) && !isTask(folded)))
    return 'rule';
  return undefined;
}

function isTask(folded: string): boolean {
  return folded.startsWith('tasks/');
}

/** A new waiver on the target branch permits more; everything else may forbid more. */
function isNewerRule({ path, change }: PathChange): boolean {
  const kind = ruleKind(path);
  return kind === 'rule' || (kind === 'waiver' && change !== 'added');
}

function isSetting(path: string): boolean {
  const protection = protectionOf(path, { anyCase: true });
  return protection === 'agent-settings' || protection === 'git-internals';
}
