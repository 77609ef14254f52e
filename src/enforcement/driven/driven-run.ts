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
import type { SessionWork } from '../actions/sessions.ts';
import { findSession, isOver, noteActed } from '../actions/sessions.ts';
import { actionRefused } from '../hooks/answer-actions.ts';
import { handleEvent } from '../hooks/handle-event.ts';
import { type HookContext, type HookWorldFacts, openHookContext } from '../hooks/hook-context.ts';
import type { HookAnswer, HookEvent, HookSource } from '../hooks/hook-event.ts';
import { forgedEvent } from '../hooks/refuse-forged.ts';
import { keptInCheckout } from '../watch/kept-in-checkout.ts';
import { type Door, openDoor } from './open-door.ts';
import { ToolServers, type ToolsCommand, toolsCommand } from './tool-servers.ts';

export interface DrivenRunContext {
  env: NodeJS.ProcessEnv;
  dataFolder: string;
  ledger: Ledger;
  project: string;
  /** Checkout that the agent works in. */
  folder: string;
  /** What it is run for; guards know it by this. */
  role: string;
  /** What it is to work on. */
  work?: SessionWork;
  /** What talks to it. */
  driver: string;
  /** What its sandbox lets it write beside its checkout; undefined where there is no sandbox. */
  writable: readonly string[] | undefined;
  /** Hears what a person should know. */
  tell(text: string): void;
}

/** What the guards made of a run. */
export interface GuardedOutcome {
  refused: number;
  /** What was changed and is as it was again, as people are shown it. */
  putBack: string[];
}

export const UNTOUCHED: GuardedOutcome = { refused: 0, putBack: [] };

/** One run of an agent that GuardKit itself drives, under the guards that every agent works under. */
export class DrivenRun {
  /** Of the agent's own program, once it is known. */
  agentPid: number | undefined;
  readonly #parts: DrivenRunContext;
  readonly #world: HookWorldFacts;
  readonly #sessions = new Map<string, HookSource>();
  /** Those of runs that are one action: no agent knows them. */
  readonly #wholeRuns = new Set<string>();
  readonly #beginnings = new Map<string, Promise<unknown>>();
  readonly #after: number;

  constructor(parts: DrivenRunContext) {
    const { env, dataFolder, ledger, project, folder, writable, work } = parts;
    // Looked up before the agent comes, who may take it away.
    const git = findGitFolder(folder);
    const home = env.HOME ?? homedir();
    const watch = git && { ledger, project, checkout: folder, git, dataFolder, home, globs: [] };
    this.#parts = parts;
    this.#after = ledger.head(project)?.number ?? 0;
    this.#world = {
      env: { ...env, GUARDKIT_HOME: dataFolder },
      folder,
      driven: true,
      agentPid: undefined,
      confined: watch !== undefined && writable !== undefined && keptInCheckout(watch, writable),
      ...(work === undefined ? {} : { work }),
      ...(git ? { known: { project, git } } : {}),
    };
  }

  /** Answers what the agent's hooks tell. Whoever calls it refuses what it throws for. */
  async handle(event: HookEvent): Promise<HookAnswer> {
    const own = { ...event, source: this.#inRole(event.source) };
    await this.#begun(own.source);
    const answer = await handleEvent(own, { ...this.#world, agentPid: this.agentPid });
    this.#say(answer.notice);
    return answer;
  }

  /**
   * Through the door comes what the agent's program says, and what anything else in the sandbox says in its name: nobody
   * there gets more rights by it than the run has, or speaks for a session that is not the run's.
   */
  async #handleFromInside(event: HookEvent): Promise<HookAnswer> {
    const { ledger, project, role } = this.#parts;
    const { source } = event;
    if (this.#isOthers(source.session))
      throw forgedEvent({ ledger, project }, source, 'the session is none of what runs in this sandbox');
    const kept = source.actorType !== undefined && isWithinRights(source.actorType, role);
    return this.handle(kept ? event : { ...event, source: { ...source, actorType: undefined } });
  }

  #isOthers(session: string): boolean {
    if (this.#wholeRuns.has(session)) return true;
    if (this.#sessions.has(session)) return false;
    const { ledger, project } = this.#parts;
    const known = findSession({ ledger, project }, session);
    // An agent may go on with what it began in an earlier run.
    return known !== undefined && !isOver(known);
  }

  /** Of an agent that is to change files it is noted how they are before it does anything. */
  #begun({ session }: HookSource): Promise<unknown> {
    const source = this.#sessions.get(session);
    const known = this.#beginnings.get(session);
    if (known || !source) return known ?? Promise.resolve();
    const begun = handleEvent(
      { type: 'subagent-began', source },
      { ...this.#world, agentPid: this.agentPid },
    );
    this.#beginnings.set(session, begun);
    return begun;
  }

  /** What the guards let pass and the driver does not is on record as well. */
  async refuse(event: Extract<HookEvent, { type: 'acting' }>, why: string): Promise<void> {
    const source = this.#inRole(event.source);
    const work = await openHookContext(source, { ...this.#world, agentPid: this.agentPid });
    try {
      actionRefused(work, { ...event, source }, why);
    } finally {
      work.close();
    }
  }

  /** For an agent that does not ask before it acts: all that it does is one action. */
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
    const work = await openHookContext(source, { ...this.#world, agentPid: process.pid });
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
      // Everything in a sandbox ends with it, and it can give no commit a name.
      runs: !confined,
      confined,
      summary,
    });
  }

  /** Where hooks in the sandbox, and outside of it, find GuardKit. */
  get dataFolder(): string {
    return this.#parts.dataFolder;
  }

  /** For an agent in a sandbox that brings hooks of its own. */
  openDoor(): Promise<Door> {
    const { env, folder, role } = this.#parts;
    const tools = hasTools(role)
      ? new ToolServers({ env, folder, role, dataFolder: this.dataFolder })
      : undefined;
    return openDoor(this.dataFolder, (event) => this.#handleFromInside(event), tools);
  }

  /** How the agent's program starts a server of GuardKit's tools; undefined for a role that has none. */
  get tools(): ToolsCommand | undefined {
    const { role } = this.#parts;
    return hasTools(role) ? toolsCommand(role, this.dataFolder) : undefined;
  }

  /** When nothing of the agent runs any more: whatever it left open is looked at once more. */
  async end(): Promise<void> {
    for (const source of this.#sessions.values()) {
      const answer = await handleEvent({ type: 'session-ended', source }, this.#world);
      this.#say(answer.notice);
    }
  }

  /** What the ledger has of it so far. */
  outcome(): GuardedOutcome {
    const { ledger, project } = this.#parts;
    const own = <Body extends { session: string }>(kind: string) =>
      ledger
        .entries(project, { kind, afterNumber: this.#after })
        .map(({ body }) => body as unknown as Body)
        .filter(({ session }) => this.#sessions.has(session));
    return {
      refused: own<ActionJudged>('action_judged').filter(({ decision }) => decision === 'deny').length,
      putBack: [
        ...new Set(
          [...own<Violation>('violation_recorded'), ...own<FileRestored>('file_restored')].map(
            ({ path }) => path,
          ),
        ),
      ],
    };
  }

  /** A subagent keeps the kind that it is. */
  #inRole(source: HookSource): HookSource {
    const own = { ...source, actorType: source.actorType ?? this.#parts.role, canAsk: false };
    if (this.#sessions.has(own.session)) return own;
    // One run has one, and a few where it is begun anew; an agent could make up as many as it likes.
    if (this.#sessions.size >= MAX_SESSIONS) throw new Error('this run has told of too many sessions');
    this.#sessions.set(own.session, own);
    return own;
  }

  #say(...texts: readonly (string | undefined)[]): void {
    for (const text of texts) if (text !== undefined && text !== '') this.#parts.tell(text);
  }
}

/** The id of an action that is a whole run. */
const WHOLE_RUN = 'run';
const MAX_SESSIONS = 100;
