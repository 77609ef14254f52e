import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { hasTools } from '../../domain/entities/tool-role.ts';
import { isWithinRights } from '../../domain/feature-list/list-rights.ts';
import { findGitFolder } from '../../platform/git/git-folder.ts';
import type { ActionJudged } from '../../store/ledger/kinds/guards/action-judged.ts';
import type { Violation } from '../../store/ledger/kinds/guards/violations.ts';
import type { FileRestored } from '../../store/ledger/kinds/protection/file-restored.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { observeEvent } from '../actions/observe-event.ts';
import { beginAction, unendedActions } from '../actions/open-actions.ts';
import { findSession, isOver, noteActed, type SessionWork } from '../actions/sessions.ts';
import { actionRefused } from '../hooks/answer-actions.ts';
import { handleEvent } from '../hooks/handle-event.ts';
import { type HookContext, type HookFacts, openHookContext } from '../hooks/hook-context.ts';
import type { HookAnswer, HookEvent, HookSource } from '../hooks/hook-event.ts';
import { forgedEvent } from '../hooks/refuse-forged.ts';
import { keptInCheckout } from '../watch/watch-areas.ts';
import { type Door, openDoor, ToolServers, type ToolsCommand, toolsCommand } from './connect-sandbox.ts';

export interface DrivenRunContext {
  env: NodeJS.ProcessEnv;
  dataFolder: string;
  ledger: Ledger;
  project: string;
  /** Checkout that the agent works in. */
  folder: string;
  /** The agent's role, by which guards recognize it. */
  role: string;
  work?: SessionWork;
  driver: string;
  /** Writable paths in its sandbox besides the checkout; undefined without a sandbox. */
  writable: readonly string[] | undefined;
  /** Receives notices for the person. */
  tell(text: string): void;
}

export type AroundEvent = (
  event: HookEvent,
  handle: (event: HookEvent) => Promise<HookAnswer>,
) => Promise<HookAnswer>;

/** Enforcement's actions during a run. */
export interface GuardedOutcome {
  refused: number;
  /** Restored paths, as shown to people. */
  restored: string[];
}

export const UNTOUCHED: GuardedOutcome = { refused: 0, restored: [] };

/** One run of a driven agent, under the same guards as every agent. */
export class DrivenRun {
  /** The agent's own process, once known. */
  agentPid: number | undefined;
  readonly #parts: DrivenRunContext;
  readonly #facts: HookFacts;
  readonly #sessions = new Map<string, HookSource>();
  /** Sessions of `asOneAction`, whose ids no agent may use. */
  readonly #wholeRuns = new Set<string>();
  readonly #recordedTrees = new Map<string, Promise<unknown>>();
  readonly #after: number;

  constructor(parts: DrivenRunContext) {
    const { env, dataFolder, ledger, project, folder, writable, work } = parts;
    // Before the agent starts, since it could remove it.
    const git = findGitFolder(folder);
    const home = env.HOME ?? homedir();
    const watch = git && { ledger, project, checkout: folder, git, dataFolder, home, globs: [] };
    this.#parts = parts;
    this.#after = ledger.head(project)?.number ?? 0;
    this.#facts = {
      env: { ...env, GUARDKIT_HOME: dataFolder },
      folder,
      driven: true,
      agentPid: undefined,
      confined: watch !== undefined && writable !== undefined && keptInCheckout(watch, writable),
      ...(work === undefined ? {} : { work }),
      ...(git ? { known: { project, git } } : {}),
    };
  }

  /** Answers an event of the agent's hooks. If it throws, the caller must refuse. */
  async handle(event: HookEvent): Promise<HookAnswer> {
    const own = { ...event, source: this.#inRole(event.source) };
    await this.#recordTree(own.source);
    const answer = await handleEvent(own, { ...this.#facts, agentPid: this.agentPid });
    this.#say(answer.notice);
    return answer;
  }

  /**
   * Any process in the sandbox can use the door, not only the agent's program. It gets no more rights than the run has, and
   * cannot send events for another session.
   */
  async #handleFromInside(event: HookEvent): Promise<HookAnswer> {
    const { ledger, project, role } = this.#parts;
    const { source } = event;
    if (this.#isOthers(source.session))
      throw forgedEvent({ ledger, project }, source, 'the session does not run in this sandbox');
    const kept = source.actorType !== undefined && isWithinRights(source.actorType, role);
    return this.handle(kept ? event : { ...event, source: { ...source, actorType: undefined } });
  }

  #isOthers(session: string): boolean {
    if (this.#wholeRuns.has(session)) return true;
    if (this.#sessions.has(session)) return false;
    const { ledger, project } = this.#parts;
    const known = findSession({ ledger, project }, session);
    // An agent may resume a session of an earlier run.
    return known !== undefined && !isOver(known);
  }

  /** Records the tree before the agent's first action. */
  #recordTree({ session }: HookSource): Promise<unknown> {
    const source = this.#sessions.get(session);
    const known = this.#recordedTrees.get(session);
    if (known || !source) return known ?? Promise.resolve();
    const recorded = handleEvent(
      { type: 'subagent-began', source },
      { ...this.#facts, agentPid: this.agentPid },
    );
    this.#recordedTrees.set(session, recorded);
    return recorded;
  }

  /** Records an action that the guards allow and the driver refuses. */
  async refuse(event: Extract<HookEvent, { type: 'acting' }>, why: string): Promise<void> {
    const source = this.#inRole(event.source);
    const work = await openHookContext(source, { ...this.#facts, agentPid: this.agentPid });
    try {
      actionRefused(work, { ...event, source }, why);
    } finally {
      work.close();
    }
  }

  /** For an agent without hooks: the whole run counts as one action. */
  async asOneAction<Result>(summary: string, run: () => Promise<Result>): Promise<Result> {
    const { driver, folder } = this.#parts;
    const source = this.#inRole({
      agent: driver,
      session: `${driver}-${randomUUID()}`,
      cwd: folder,
      actorType: undefined,
      actorId: undefined,
      canAsk: false,
    });
    this.#wholeRuns.add(source.session);
    const work = await openHookContext(source, { ...this.#facts, agentPid: process.pid }, { thorough: true });
    try {
      this.#begin(work, summary);
      noteActed(work.watch, source);
      try {
        return await run();
      } finally {
        const ended = unendedActions(work.watch, { session: source.session, actions: [WHOLE_RUN] });
        this.#say(...observeEvent(work, WHOLE_RUN, { ended }).notices);
      }
    } finally {
      work.close();
      await this.end();
    }
  }

  #begin(work: HookContext, summary: string): void {
    const { source, session, watch, confined } = work;
    this.#say(...observeEvent(work, null).notices);
    beginAction(watch, {
      session: source.session,
      action: WHOLE_RUN,
      agent: source.agent,
      agentType: source.actorType,
      agentProcess: session.process ?? undefined,
      // Processes in a sandbox end with it, and it cannot create refs.
      runs: !confined,
      confined,
      summary,
    });
  }

  get dataFolder(): string {
    return this.#parts.dataFolder;
  }

  /** For an agent with hooks of its own. The driver sees each event, and may refuse what the guards allow. */
  openDoor(around: AroundEvent = (event, handle) => handle(event)): Promise<Door> {
    const { env, folder, role } = this.#parts;
    const tools = hasTools(role)
      ? new ToolServers({ env, folder, role, dataFolder: this.dataFolder })
      : undefined;
    const handle = (event: HookEvent) => this.#handleFromInside(event);
    return openDoor(this.dataFolder, (event) => around(event, handle), tools);
  }

  /** The command of GuardKit's MCP server; undefined for a role without tools. */
  get tools(): ToolsCommand | undefined {
    const { role } = this.#parts;
    return hasTools(role) ? toolsCommand(role, this.dataFolder) : undefined;
  }

  /** Call it after the agent has exited: ends its open actions with a last observation. */
  async end(): Promise<void> {
    for (const source of this.#sessions.values()) {
      const answer = await handleEvent({ type: 'session-ended', source }, this.#facts);
      this.#say(answer.notice);
    }
  }

  /** From the ledger's entries so far. */
  outcome(): GuardedOutcome {
    const { ledger, project } = this.#parts;
    const own = <Body extends { session: string }>(kind: string) =>
      ledger
        .entries(project, { kind, afterNumber: this.#after })
        .map(({ body }) => body as unknown as Body)
        .filter(({ session }) => this.#sessions.has(session));
    return {
      refused: own<ActionJudged>('action_judged').filter(({ decision }) => decision === 'deny').length,
      restored: [
        ...new Set(
          [...own<Violation>('violation_recorded'), ...own<FileRestored>('file_restored')].map(
            ({ path }) => path,
          ),
        ),
      ],
    };
  }

  /** A subagent keeps its own type. */
  #inRole(source: HookSource): HookSource {
    const own = { ...source, actorType: source.actorType ?? this.#parts.role, canAsk: false };
    if (this.#sessions.has(own.session)) return own;
    // A run has one session, and a few more after restarts; a hostile agent could invent any number.
    if (this.#sessions.size >= MAX_SESSIONS) throw new Error('too many sessions in one run');
    this.#sessions.set(own.session, own);
    return own;
  }

  #say(...texts: readonly (string | undefined)[]): void {
    for (const text of texts) if (text !== undefined && text !== '') this.#parts.tell(text);
  }
}

/** Action id for a whole run. */
const WHOLE_RUN = 'run';
const MAX_SESSIONS = 100;
