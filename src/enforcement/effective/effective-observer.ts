import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SESSION_STATE_PATH } from '../../domain/protection/protected-paths.ts';
import { changeNoticedSchema } from '../../store/ledger/kinds/protection/effective-changes.ts';
import type { FileRestored } from '../../store/ledger/kinds/protection/file-restored.ts';
import { findTips } from '../../store/ledger/tables/last-seen-refs.ts';
import type { WatchTables } from '../../store/ledger/tables/watch-tables.ts';
import { agentsAtWork } from '../actions/agents-at-work.ts';
import type { AgentAction, EndedAction } from '../actions/open-actions.ts';
import { unaskedServers } from '../agents/agent-hooks.ts';
import { trustedByBranch } from '../provenance/trusted-commits.ts';
import { type GitCommandWindow, gitCommandWindows } from '../shell/git-command-windows.ts';
import { readOnlyPaths } from '../shell/profile-file.ts';
import { shellFolder } from '../shell/shell-folder.ts';
import { absolutePath, type Difference, wasThere } from '../watch/compare-area.ts';
import { isOwnText } from '../watch/own-writes.ts';
import type { WatchArea } from '../watch/watch-areas.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';
import { FOLDER_HASH, NOTHING_HASH } from '../watch/watched-file.ts';
import { changedDuring, endedBefore } from './change-time.ts';
import { changedGitKeys, isGitConfig, restoreGitSettings } from './effective-git-settings.ts';
import { type DifferenceTexts, judgeDifference } from './judge-difference.ts';
import { KnownToGit } from './known-to-git.ts';
import { describeChange, type RestoreOrder, recordRestore } from './restore-file.ts';

/** Why a change is restored, and in whose action. */
export interface RestoreDecision {
  reason: FileRestored['reason'];
  during: Pick<AgentAction, 'session' | 'action' | 'body'>;
  known: KnownToGit | undefined;
}

export type EffectiveDecision =
  /** Accepted silently. */
  | 'take'
  /** Accepted, recorded and shown to the person. */
  | 'notice'
  /** Something that may have caused it is still running; decided when that ends. */
  | 'wait'
  | RestoreDecision;

/** A git command that runs longer is judged while it runs. */
const SETTLING_MS = 30_000;

const INSTRUCTIONS = /(?:^|\/)\.claude\/(?:agents|commands|output-styles|skills)\//;

/** Decides about the changes of effective files in one observation. */
export class EffectiveObserver {
  readonly #context: WatchContext;
  readonly #ended: readonly EndedAction[];
  readonly #open: readonly AgentAction[];
  /** Before the first comparison. */
  readonly #began = Date.now();
  #gitCommands: readonly GitCommandWindow[] | undefined;
  readonly #readOnly = new Map<string, (absolute: string) => boolean>();
  #known: KnownToGit | undefined;
  #noticed: ReadonlySet<string> | undefined;

  constructor(context: WatchContext, ended: readonly EndedAction[], open: readonly AgentAction[]) {
    this.#context = context;
    this.#ended = ended.filter(({ action }) => action.body.confined !== true);
    this.#open = open.filter(({ body }) => body.confined !== true);
  }

  judge(area: WatchArea, difference: Difference, texts: DifferenceTexts): EffectiveDecision {
    const { path, before, found } = difference;
    if (area.kind === 'checkout' && path === SESSION_STATE_PATH)
      return this.#judgeProjection(area, difference);
    if (before?.hash === NOTHING_HASH && !found) return 'take';
    // The whole worktree was removed since the comparison found this file missing.
    if (area.kind === 'worktree' && !found && !existsSync(join(area.folder, '.git'))) return 'wait';
    // A replaced repository cannot be restored from the list of its hooks.
    if (path === '.git' && (before === undefined || before.hash === FOLDER_HASH)) return 'notice';
    const judgement = judgeDifference(area, difference, texts);
    if (judgement === 'nothing' || judgement === 'harmless' || judgement === 'leftover') return 'take';
    const git = this.#duringGitCommand(area, difference);
    if (git === 'wait' || git === 'take') return git;
    const ended = this.#endedDuring(area, difference);
    if ((git || ended) && this.#isSwitchedAway(area, difference, texts)) return 'notice';
    if (git) return git;
    if (ended) return this.#restoreUnlessKnown(area, difference, ended);
    const isOwnWrite = (action: AgentAction) => action.body.runs && action.body.wrapped !== true;
    if (this.#open.some((action) => isOwnWrite(action) && concerns(area, action))) return 'wait';
    return judgement === 'mode' ? 'take' : 'notice';
  }

  /** In a wrapped git command, tracked files in the work tree are writable; only a person can change the others. */
  #duringGitCommand(area: WatchArea, difference: Difference): EffectiveDecision | undefined {
    if (!isWorkTree(area)) return undefined;
    this.#gitCommands ??= gitCommandWindows(this.#context.dataFolder, this.#context.git);
    const absolute = absolutePath(area, difference.path);
    const commands = this.#gitCommands.filter(
      (command) => changedDuring(area, difference, [command]) && !this.#isReadOnly(command.mounts, absolute),
    );
    if (commands.length === 0) return undefined;
    const isYoung = ({ begin }: GitCommandWindow) => Date.now() - begin < SETTLING_MS;
    const isRunning = commands.some((command) => command.end === undefined && isYoung(command));
    const ended = this.#ended.find(({ action }) => action.body.runs);
    if (isRunning && !ended) return 'wait';
    // A background command runs on after its action. While it adds or removes a whole worktree, files are missing there;
    // it may have ended since the comparison.
    const wasRunning = commands.some((command) => !endedBefore(this.#began, command) && isYoung(command));
    if (wasRunning && area.kind === 'worktree' && !difference.found) return 'wait';
    const known = this.#knownToGit();
    if (this.#isPersons(known, area, difference)) return 'take';
    return { reason: 'git-command', during: ended?.action ?? UNKNOWN_ACTION, known };
  }

  /** The action that caused a difference: one without a sandbox, or one whose sandbox left the file writable. */
  #endedDuring(area: WatchArea, difference: Difference): EndedAction | undefined {
    return this.#ended.find(
      ({ action, span }) =>
        (action.body.wrapped !== true || this.#isWritable(area, difference, action)) &&
        action.body.runs &&
        concerns(area, action) &&
        changedDuring(area, difference, [span]),
    );
  }

  /** Whether a wrapped command could have written it. A new `.mcp.json` is kept if the person is asked about its servers. */
  #isWritable(area: WatchArea, { path, before }: Difference, { body }: AgentAction): boolean {
    const isNewServerList = path === '.mcp.json' && !wasThere(before);
    if (isNewServerList && unaskedServers(body.agent, area.folder) === undefined) return false;
    const { ordinary } = shellFolder(this.#context.dataFolder, this.#context.git).profiles;
    return !this.#isReadOnly(ordinary, absolutePath(area, path));
  }

  /** Not everything is: git's configuration stays writable, and a missing file cannot be mounted. */
  #isReadOnly(list: string, absolute: string): boolean {
    const isReadOnly = this.#readOnly.get(list) ?? readOnlyPaths(list);
    this.#readOnly.set(list, isReadOnly);
    return isReadOnly(absolute);
  }

  #restoreUnlessKnown(area: WatchArea, difference: Difference, { action }: EndedAction): EffectiveDecision {
    if (isGitConfig(area, difference.path)) return { reason: 'git-config', during: action, known: undefined };
    const known = this.#knownToGit();
    if (isWorkTree(area) && this.#isPersons(known, area, difference)) return 'take';
    return { reason: 'no-sandbox', during: action, known };
  }

  /**
   * An agent's helper or instruction that is not in HEAD but still in git, as after switching branches. Its absence turns
   * no rule off; a missing settings file or hook might.
   */
  #isSwitchedAway(area: WatchArea, { path, found }: Difference, { before }: DifferenceTexts): boolean {
    if (found || before === undefined || !isWorkTree(area) || !INSTRUCTIONS.test(path)) return false;
    const known = this.#knownToGit();
    return known.headHas(path) === undefined && known.hasContent(Buffer.from(before));
  }

  /** Asks git about many differences at once. */
  prepare(area: WatchArea, differences: readonly Difference[]): void {
    if (isWorkTree(area) && differences.length > 1 && this.#ended.length > 0)
      this.#knownToGit().load(differences.map(({ path }) => path));
  }

  /** Only commits of persons and of trusted branches: an agent can commit too. */
  #knownToGit(): KnownToGit {
    const { ledger, project, git } = this.#context;
    if (this.#known) return this.#known;
    const known = findTips(ledger, repositoryFolder(this.#context))?.reading.known ?? [];
    this.#known = new KnownToGit({
      gitDir: git.gitDir,
      tips: [...trustedByBranch(ledger, project), ...known.toReversed()],
    });
    return this.#known;
  }

  /** A version in a person's commit, or one already accepted with a notice. */
  #isPersons(known: KnownToGit, area: WatchArea, { path, found }: Difference): boolean {
    if (known.has(path, found)) return true;
    const { ledger, project } = this.#context;
    this.#noticed ??= new Set(
      ledger
        .entries(project, { kind: 'change_noticed' })
        .map(({ body }) => changeNoticedSchema.parse(body))
        .map((one) => `${one.hash} ${one.path}`),
    );
    return this.#noticed.has(`${found?.hash ?? null} ${area.shown(path)}`);
  }

  /** GuardKit writes the session state while agents act, so a half-accepted own write is possible. */
  #judgeProjection(area: WatchArea, { path, found, before }: Difference): EffectiveDecision {
    const { ledger } = this.#context;
    const during = this.#ended[0]?.action ?? this.#open[0];
    if (isOwnText(ledger, absolutePath(area, path), found?.hash ?? '') || !(during || wasThere(before)))
      return 'take';
    if (!during) return 'notice';
    return { reason: 'projection', during, known: undefined };
  }

  recordRestore(
    area: WatchArea,
    difference: Difference,
    tables: WatchTables,
    { reason, during, known }: RestoreDecision,
  ): RestoreOrder & { what: string } {
    const { path, before } = difference;
    const fromHead = reason === 'git-command' ? known?.headVersion(path) : undefined;
    const kept = wasThere(before) ? tables.kept(before.hash) : undefined;
    const content = fromHead ?? kept;
    const mode = wasThere(before) ? before.mode : 0o644;
    const { found } = difference;
    const old = kept?.toString('utf8') ?? '';
    const keys = isGitConfig(area, path)
      ? changedGitKeys(old, found?.bytes?.toString('utf8') ?? '', path)
      : [];
    const order: RestoreOrder = { area, difference, content, mode, reason, during, keys };
    const { what } = recordRestore(this.#context, order);
    if (reason !== 'git-config' || !found) return { ...order, what };
    const file = absolutePath(area, path);
    return { ...order, what, perform: () => restoreGitSettings(file, old, path) };
  }

  /** Records an accepted change; returns it as one line. */
  recordNotice(area: WatchArea, difference: Difference): string {
    const { ledger, project, checkout } = this.#context;
    const { path, before, found } = difference;
    const shown = area.shown(path);
    const what = describeChange(difference);
    const change = !found
      ? 'removed'
      : !wasThere(before)
        ? 'added'
        : found.hash === before.hash
          ? 'mode'
          : 'changed';
    ledger.append(project, 'change_noticed', {
      path: shown,
      absolute: absolutePath(area, path),
      checkout,
      change,
      hash: found?.hash ?? null,
      mode: found?.mode ?? null,
      what: `${shown} ${what}`,
      agents_running: agentsAtWork(this.#context),
    });
    return `${shown} ${what}`;
  }
}

/** Files that git can have written. */
function isWorkTree({ kind }: WatchArea): boolean {
  return kind === 'checkout' || kind === 'worktree';
}

/** Whether an action can reach an area. */
function concerns({ kind, folder, repository }: WatchArea, { checkout, body }: AgentAction): boolean {
  if (kind === 'checkout') return checkout === folder;
  if (kind === 'worktree') return checkout === folder || body.repository === repository;
  return kind !== 'repository' || body.repository === folder;
}

const UNKNOWN_ACTION: RestoreDecision['during'] = {
  session: 'unknown',
  action: 'unknown',
  body: {
    agent: 'unknown',
    agent_type: null,
    agent_id: null,
    runs: true,
    summary: 'a git command',
    repository: '',
    agent_process: null,
    mark: null,
  },
};
