import { lstatSync } from 'node:fs';
import { definitionDigest } from '../../domain/protection/project-paths.ts';
import { isAfterIn } from '../../platform/git/git-refs.ts';
import { filesOf } from '../../platform/git/git-versions.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { readProvenance } from '../../verification/definition/provenance.ts';
import { agentsAtWork, unwrappedAgentsAtWork } from '../actions/agents-at-work.ts';
import type { AgentAction, EndedAction } from '../actions/open-actions.ts';
import { changedDuring, type TimeSpan } from '../effective/change-time.ts';
import { KnownToGit } from '../effective/known-to-git.ts';
import { gitCommandWindows } from '../shell/git-command-windows.ts';
import { type Difference, wasThere } from '../watch/compare-area.ts';
import type { WatchArea } from '../watch/watch-areas.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import { FOLDER_HASH, type Found } from '../watch/watched-file.ts';
import { type Proposal, proposeDefinitions } from './propose-definitions.ts';

interface Version {
  path: string;
  content: Buffer | undefined;
}

/** Decides which new versions of definitions in one observation are a person's. */
export class DefinitionObserver {
  readonly #context: WatchContext;
  readonly #actions: readonly AgentAction[];
  readonly #persons: Version[] = [];
  readonly #proposals: Proposal[] = [];
  #spans: readonly TimeSpan[] | undefined;
  #unwrapped: boolean | undefined;
  #atWork: boolean | undefined;
  #head: KnownToGit | undefined;

  constructor(context: WatchContext, ended: readonly EndedAction[], open: readonly AgentAction[]) {
    this.#context = context;
    this.#actions = [...ended.map(({ action }) => action), ...open];
  }

  /** At the first observation of a checkout, all differences from HEAD are a person's if no agent is at work. */
  observeFirst({ kind }: WatchArea, differences: readonly Difference[]): void {
    if (kind !== 'checkout') return;
    const committed = filesOf(this.#context.git.gitDir, 'HEAD', ['.guardkit', 'tasks']);
    for (const { path, found } of differences)
      if (found?.bytes && committed?.get(path) !== undefined) this.#addChanged(path, found.bytes);
      else if (found?.bytes && !this.#agentsAtWork()) this.#persons.push({ path, content: found.bytes });
  }

  #addChanged(path: string, content: Buffer): void {
    if (!this.#agentsAtWork()) this.#persons.push({ path, content });
  }

  observe(area: WatchArea, differences: readonly Difference[]): void {
    const tops = new Set(
      differences.flatMap(({ path, before }) => (before === undefined && !path.includes('/') ? [path] : [])),
    );
    const replaced = differences.length > 0 && this.#wasReplaced(area);
    for (const difference of differences) {
      const { path, before, found } = difference;
      const wasFile = wasThere(before) && before.hash !== FOLDER_HASH;
      if (found?.kind === 'folder' && !wasFile) continue;
      // A folder, a link or a file that is too large is not a definition: it counts as removed.
      const content = found?.kind === 'file' ? found.bytes : undefined;
      const editor = this.#editorOf(area, path);
      if (editor) this.#proposals.push({ path, content, origin: 'edit-tool', session: editor.session });
      else if (!this.#mayBeAgents(area, difference, replaced || tops.has(path.split('/')[0] ?? '')))
        this.#persons.push({ path, content });
      // A version in HEAD is judged by its commit.
      else if (!this.#isInHead(path, found)) this.#proposals.push({ path, content, origin: 'unknown' });
    }
  }

  #editorOf({ key, folder }: WatchArea, path: string): AgentAction | undefined {
    return this.#actions.find(
      ({ checkout, body }) =>
        (checkout === folder || checkout === key.checkout) && body.edits?.includes(path),
    );
  }

  /** In the shell wrapper, only an agent's git command can write a definition that existed before. */
  #mayBeAgents(area: WatchArea, difference: Difference, unprotected: boolean): boolean {
    this.#spans ??= gitCommandWindows(this.#context.dataFolder, this.#context.git);
    if (changedDuring(area, difference, this.#spans)) return true;
    this.#unwrapped ??= unwrappedAgentsAtWork(this.#context);
    return this.#unwrapped || (unprotected && this.#agentsAtWork());
  }

  #isInHead(path: string, found: Found | undefined): boolean {
    this.#head ??= new KnownToGit({ gitDir: this.#context.git.gitDir, tips: [] });
    return this.#head.isInHead(path, found);
  }

  #agentsAtWork(): boolean {
    this.#atWork ??= agentsAtWork(this.#context);
    return this.#atWork;
  }

  /** A checkout that was moved away and created again was unprotected meanwhile. */
  #wasReplaced({ folder }: WatchArea): boolean {
    const key = `folder of ${folder}`;
    const { dev, ino } = lstatSync(folder);
    const now = `${dev}:${ino}`;
    const before = findLastCached(this.#context.ledger, key)?.stamp;
    if (before !== now) cacheRead(this.#context.ledger, key, now, {});
    return before !== undefined && before !== now;
  }

  record(): void {
    const { ledger, project, git, checkout } = this.#context;
    proposeDefinitions(this.#context, this.#proposals);
    if (this.#persons.length === 0) return;
    const provenance = readProvenance(ledger, project, git.commonDir);
    const isAfter = isAfterIn(git.gitDir, 'HEAD');
    // A version that a person brings back is recorded again: only the order tells it from one that an agent brings back.
    const fresh = this.#persons.filter(
      ({ path, content }) =>
        !provenance?.isLatest(path, content) && !provenance?.isProposed(path, content, isAfter),
    );
    ledger.appendMany(
      project,
      fresh.map(({ path, content }) => ({
        kind: 'definition_recorded',
        body: {
          path,
          digest: content ? definitionDigest(content) : null,
          origin: 'working-files',
          checkout,
        },
      })),
    );
  }
}
