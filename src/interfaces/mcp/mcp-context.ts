import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { openWorkspace, type Workspace } from '../../config/project/workspace.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { openStore } from '../../store/open-store.ts';

/** The environment of a server: the process, or a test's substitute. */
export interface McpServerContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** A project whose id is known, in a checkout. */
export interface KnownProject {
  root: string;
  project: string;
  home: string;
}

export interface CallContext {
  signal?: AbortSignal;
  progress?: (message: string) => void;
}

/**
 * The context of one call, opened and closed with it: a server runs for days, while configuration, stores and files change.
 */
export class McpContext {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The caller no longer wants the answer. */
  readonly signal: AbortSignal | undefined;
  /** Reports progress to a client that asked for it. */
  readonly progress: (message: string) => void;
  readonly #opened: { close(): void | Promise<void> }[] = [];
  #workspace: Promise<Workspace> | undefined;
  #store: Promise<EpisodeStore> | undefined;
  #ledger: Promise<Ledger> | undefined;

  constructor({ cwd, env }: McpServerContext, { signal, progress = () => {} }: CallContext = {}) {
    this.cwd = cwd;
    this.env = env;
    this.signal = signal;
    this.progress = progress;
  }

  workspace(): Promise<Workspace> {
    this.#workspace ??= openWorkspace(this.cwd, this.env);
    return this.#workspace;
  }

  store(): Promise<EpisodeStore> {
    this.#store ??= this.#openStore();
    return this.#store;
  }

  ledger(): Promise<Ledger> {
    this.#ledger ??= this.#openLedger();
    return this.#ledger;
  }

  /** Throws with a hint if there is no project. */
  async project(): Promise<KnownProject> {
    const { root, project, home } = await this.workspace();
    if (root !== undefined && project.known) return { root, project: project.id, home };
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: `GuardKit is not set up in this project: ${project.known ? 'this folder is not in a git repository' : project.why}.`,
      hint: project.known ? 'Start the server in the project.' : project.hint,
    });
  }

  async close(): Promise<void> {
    for (const one of this.#opened) await one.close();
  }

  async #openStore(): Promise<EpisodeStore> {
    const store = await openStore((await this.workspace()).store);
    this.#opened.push(store);
    return store;
  }

  async #openLedger(): Promise<Ledger> {
    const { openLedger } = await import('../../store/ledger/open-ledger.ts');
    const ledger = openLedger({ path: join((await this.workspace()).home, 'ledger.db') });
    this.#opened.push(ledger);
    return ledger;
  }
}

/** The server's streams: the process's, or a test's. */
export interface McpStreams extends McpServerContext {
  stdin: Readable;
  stdout: Writable;
  /** The input is a terminal, not a client. */
  isTerminal?: boolean;
  /** For people; never read as an answer. */
  complain(text: string): void;
}
