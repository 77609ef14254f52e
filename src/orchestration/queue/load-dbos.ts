import { GuardKitError } from '../../guardkit-error.ts';

/** The version that GuardKit is tested with: taking over a dead worker's builds uses a part that is not public. */
export const DBOS_VERSION = '5.3.0';

const PACKAGE = '@dbos-inc/dbos-sdk';

/** The part of DBOS that GuardKit uses. Declared here, so that GuardKit can be built and checked without the package. */
export interface Dbos {
  setConfig(config: Record<string, unknown>): void;
  launch(): Promise<void>;
  shutdown(): Promise<void>;
  registerWorkflow<Args extends unknown[], Result>(
    work: (...args: Args) => Promise<Result>,
    config: { name: string; maxRecoveryAttempts?: number },
  ): (...args: Args) => Promise<Result>;
  runStep<Result>(work: () => Promise<Result>, config: { name: string }): Promise<Result>;
  startWorkflow<Args extends unknown[], Result>(
    workflow: (...args: Args) => Promise<Result>,
    params: {
      workflowID: string;
      queueName: string;
      enqueueOptions: { deduplicationID: string; priority: number };
    },
  ): (...args: Args) => Promise<unknown>;
  cancelWorkflow(id: string): Promise<void>;
  readonly workflowID: string | undefined;
  readonly stepStatus: { readonly cancelSignal: AbortSignal } | undefined;
}

export interface DbosClient {
  cancelWorkflow(id: string): Promise<void>;
  registerQueue(name: string, options: Record<string, unknown>): Promise<unknown>;
  destroy(): Promise<void>;
}

/** What GuardKit reports itself; the engine's own lines would also name the server. */
const nothing = () => {};
export const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/**
 * A project with a limit has workers that contend for the next feature. The engine would let the one that lost wait longer
 * each time, up to two minutes.
 */
const MAX_POLL_MS = 500;

type Migrate = (url: string, logger: typeof SILENT, schema: string) => Promise<void>;

interface Executor {
  recoverPendingWorkflows(executors: readonly string[]): Promise<unknown>;
}

export interface LoadedDbos {
  DBOS: Dbos;
  DBOSClient: { create(options: Record<string, unknown>): Promise<DbosClient> };
  /** Creates or upgrades the engine's tables in a schema. */
  migrate(url: string, schema: string): Promise<void>;
  /** Gives the builds of dead executors back to the queue; they keep deduplication, priority and attempts. */
  recover(executors: readonly string[]): Promise<void>;
}

/** Set in the built program, a script that cannot use `import()` itself. */
declare const __import: ((name: string) => Promise<unknown>) | undefined;

const importPackage = (name: string): Promise<unknown> =>
  typeof __import === 'undefined' ? import(name) : __import(name);

/** Loads the optional package, only in commands that need the engine. */
export async function loadDbos(
  load: (name: string) => Promise<unknown> = importPackage,
): Promise<LoadedDbos> {
  try {
    const { DBOS, DBOSClient } = (await load(PACKAGE)) as LoadedDbos;
    const { DBOSExecutor } = (await load(`${PACKAGE}/internal/dbos-executor`)) as {
      DBOSExecutor: { globalInstance?: Executor };
    };
    const { wfQueueRunner } = (await load(`${PACKAGE}/internal/wfqueue`)) as {
      wfQueueRunner: { constructor: { defaultMaxPollingIntervalMs: number } };
    };
    const runner = wfQueueRunner.constructor;
    if (typeof runner.defaultMaxPollingIntervalMs !== 'number') throw moved();
    runner.defaultMaxPollingIntervalMs = MAX_POLL_MS;
    // The public function prints lines on standard output, where a command prints its JSON.
    const { migrateSystemDatabase } = (await load(`${PACKAGE}/internal/system_database`)) as {
      migrateSystemDatabase: Migrate;
    };
    return {
      DBOS,
      DBOSClient,
      migrate: (url, schema) => migrateSystemDatabase(url, SILENT, schema),
      async recover(executors) {
        const executor = DBOSExecutor.globalInstance;
        if (typeof executor?.recoverPendingWorkflows !== 'function') throw moved();
        await executor.recoverPendingWorkflows(executors);
      },
    };
  } catch (cause) {
    if (cause instanceof GuardKitError) throw cause;
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    throw new GuardKitError({
      code: missing ? 'queue.engine-missing' : 'queue.engine-broken',
      kind: 'outside',
      message: missing
        ? `The queue needs the package ${PACKAGE}, which is not installed.`
        : `Cannot load ${PACKAGE}: ${(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')}.`,
      hint: `Run \`npm install ${PACKAGE}@${DBOS_VERSION}\` where GuardKit is installed (with -g if global).`,
      cause,
    });
  }
}

function moved(): GuardKitError {
  return new GuardKitError({
    code: 'queue.engine-broken',
    kind: 'outside',
    message: `This version of ${PACKAGE} lacks a function that GuardKit uses.`,
    hint: `Install the tested version: npm install ${PACKAGE}@${DBOS_VERSION}`,
  });
}
