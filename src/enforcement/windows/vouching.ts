import { type Fits, isListOf, isShape, isText } from '../../domain/plain-shape.ts';
import { findGitFolder } from '../../platform/git-folder.ts';
import { findLastReading, keepReading } from '../../store/ledger/readings.ts';
import type { WatchTables } from '../../store/ledger/watch-tables.ts';
import { Acceptances } from '../../verification/definition/acceptances.ts';
import { type Difference, wasThere } from './compare-area.ts';
import { type KnownTips, noteTips } from './known-tips.ts';
import { quarantineContent } from './quarantine.ts';
import { vouchedByGit } from './vouched-by-git.ts';
import type { WatchArea } from './watch-areas.ts';
import { realFolder, type WatchPlace } from './watch-place.ts';

interface Aside {
  path: string;
  hash: string;
  head: string;
}

const areAside: Fits<Aside[]> = isListOf(isShape({ path: isText, hash: isText, head: isText }));

const MAX_ASIDE = 500;

/** Whether a person stands behind what was found: by their word, by a commit of theirs, or because it was theirs before. */
export class Vouching {
  /** For the person: what of theirs git took away. */
  readonly notices: string[] = [];
  readonly #place: WatchPlace;
  readonly #tables: WatchTables;
  #tips: KnownTips | undefined;
  #acceptances: Acceptances | undefined;

  constructor(place: WatchPlace, tables: WatchTables) {
    this.#place = place;
    this.#tables = tables;
  }

  /** Looked up once, so that what was checked out before is still known when it is asked for. */
  tips(): KnownTips {
    this.#tips ??= noteTips(this.#place, false);
    return this.#tips;
  }

  /** The paths of those for which somebody does. */
  vouched(area: WatchArea, differences: readonly Difference[]): Set<string> {
    if (differences.length === 0) return new Set();
    if (area.kind === 'worktree') return this.#vouchedThere(area, differences);
    this.#acceptances ??= Acceptances.read(this.#place.ledger, this.#place.project);
    const acceptances = this.#acceptances;
    const accepted = differences.filter(({ path, found }) =>
      acceptances.has(area.shown(path), found?.hash ?? null),
    );
    const paths = new Set(accepted.map(({ path }) => path));
    // Only the files of a checkout come from commits.
    if (area.kind !== 'checkout') return paths;
    const open = differences.filter(({ path }) => !paths.has(path));
    for (const path of this.#returned(open)) paths.add(path);
    const rest = open.filter(({ path }) => !paths.has(path));
    const brought = vouchedByGit(this.#place, rest, this.tips());
    this.#setAside(rest.filter(({ path }) => brought.has(path)));
    return new Set([...paths, ...brought]);
  }

  /** What git brought to another checkout, by what is checked out there. */
  #vouchedThere(area: WatchArea, differences: readonly Difference[]): Set<string> {
    const git = findGitFolder(area.folder);
    if (!git || realFolder(git.commonDir) !== area.repository) return new Set();
    const there = new Vouching({ ...this.#place, checkout: area.folder, git }, this.#tables);
    const vouched = there.vouched({ ...area, kind: 'checkout', shown: (path) => path }, differences);
    this.notices.push(...there.notices);
    return vouched;
  }

  get #key(): string {
    return `set aside in ${this.#place.checkout}`;
  }

  #aside(): Aside[] {
    const known = findLastReading(this.#place.ledger, this.#key)?.body;
    return areAside(known) ? known : [];
  }

  /** What git took away on a commit, as a stash does, may come back on the same one. */
  #returned(differences: readonly Difference[]): string[] {
    const { headNow } = this.tips();
    const aside = this.#aside().filter(({ head }) => head === headNow);
    return differences
      .filter(({ path, found }) => aside.some((one) => one.path === path && one.hash === found?.hash))
      .map(({ path }) => path);
  }

  #setAside(differences: readonly Difference[]): void {
    const { headBefore, headNow } = this.tips();
    if (headNow === undefined || headBefore !== headNow) return;
    const more = differences.flatMap(({ path, before }) =>
      wasThere(before) ? [{ path, hash: before.hash, head: headNow }] : [],
    );
    if (more.length === 0) return;
    this.#keepForPerson(more);
    keepReading(this.#place.ledger, this.#key, '', [...this.#aside(), ...more].slice(-MAX_ASIDE));
  }

  /** Nobody committed it, so that there may be no other copy. */
  #keepForPerson(versions: readonly Aside[]): void {
    const { dataFolder, project } = this.#place;
    for (const { path, hash } of versions) {
      const content = this.#tables.kept(hash);
      if (!content) continue;
      const copy = quarantineContent(dataFolder, project, path, content);
      this.notices.push(
        `GuardKit: ${path} is as it was committed again, since an agent had git take your change away (as a stash does). ` +
          `Your version is in ${copy}.`,
      );
    }
  }
}
