import { type Dbos, type DbosClient, type LoadedDbos, SILENT } from './load-dbos.ts';

/** The schema of the engine's own tables. */
export const ENGINE_SCHEMA = 'guardkit_dbos';
const NAME = 'guardkit';
const WORKFLOW = 'build';
/** Never changes: with a version per release, an upgrade would strand the builds of the old one. */
const APPLICATION_VERSION = 'guardkit';
/** From a free worker to a started build. */
const POLL_MS = 250;
/** A build that took its worker down this often is not started again. */
export const MAX_RECOVERIES = 20;

export interface Engine {
  /** Queues a build; false if the feature is already queued or running. */
  enqueue(build: QueuedWorkflow): Promise<boolean>;
  /** Gives the builds of dead workers back to the queue. */
  recover(workers: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export interface QueuedWorkflow {
  /** One for each time it is queued: an ended id would silently not run again. */
  id: string;
  project: string;
  feature: string;
  item: number;
  priority: number;
}

type Build = (item: number, run: { workflow: string | undefined; cancelled: AbortSignal }) => Promise<string>;

export function queueName(project: string): string {
  return `guardkit-${project}`;
}

/** Creates the engine's tables; once, because two processes that do it at the same time block each other. */
export function migrateEngine({ migrate }: LoadedDbos, url: string): Promise<void> {
  return migrate(url, ENGINE_SCHEMA);
}

export function openEngineClient({ DBOSClient }: LoadedDbos, url: string): Promise<DbosClient> {
  return DBOSClient.create({
    systemDatabaseUrl: url,
    systemDatabaseSchemaName: ENGINE_SCHEMA,
    systemDatabasePoolSize: 2,
    applicationName: NAME,
    logger: SILENT,
  });
}

/** Starts the engine in a worker: it takes one build at a time from the queues of the projects. */
export async function startEngine(
  loaded: LoadedDbos,
  {
    url,
    worker,
    projects,
    limit,
    build,
  }: {
    url: string;
    worker: string;
    projects: readonly string[];
    /** Builds of one project at the same time, on all machines; undefined for no limit. */
    limit: number | undefined;
    build: Build;
  },
): Promise<Engine> {
  const { DBOS, recover } = loaded;
  // First: from the launch on, builds begin, and nothing after it may fail.
  await registerQueues(loaded, url, projects, limit);
  DBOS.setConfig({
    name: NAME,
    systemDatabaseUrl: url,
    systemDatabaseSchemaName: ENGINE_SCHEMA,
    systemDatabasePoolSize: 3,
    applicationVersion: APPLICATION_VERSION,
    executorID: worker,
    runMigrations: false,
    listenQueues: projects.map(queueName),
    logger: SILENT,
  });
  // The ledger has all that happened; the engine only remembers that the build is to be done.
  const workflow = DBOS.registerWorkflow(
    async (item: number) => {
      const run = () =>
        build(item, {
          workflow: DBOS.workflowID,
          cancelled: DBOS.stepStatus?.cancelSignal ?? new AbortController().signal,
        });
      return DBOS.runStep(run, { name: WORKFLOW });
    },
    { name: WORKFLOW, maxRecoveryAttempts: MAX_RECOVERIES },
  );
  await DBOS.launch();
  return {
    enqueue: (queued) => enqueue(DBOS, workflow, queued),
    recover,
    stop: () => DBOS.shutdown(),
  };
}

async function registerQueues(
  loaded: LoadedDbos,
  url: string,
  projects: readonly string[],
  limit: number | undefined,
): Promise<void> {
  const client = await openEngineClient(loaded, url);
  try {
    for (const project of projects)
      await client.registerQueue(queueName(project), {
        workerConcurrency: 1,
        minPollingIntervalMs: POLL_MS,
        ...(limit === undefined ? {} : { globalConcurrency: limit }),
        onConflict: 'always_update',
      });
  } finally {
    await client.destroy();
  }
}

async function enqueue(
  DBOS: Dbos,
  workflow: (item: number) => Promise<string>,
  { id, project, feature, item, priority }: QueuedWorkflow,
): Promise<boolean> {
  try {
    await DBOS.startWorkflow(workflow, {
      workflowID: id,
      queueName: queueName(project),
      enqueueOptions: { deduplicationID: feature, priority },
    })(item);
    return true;
  } catch (error) {
    if (error instanceof Error && error.constructor.name === 'DBOSQueueDuplicatedError') return false;
    throw error;
  }
}
