import type { PostgresDatabase } from '../../store/postgres/postgres-database.ts';
import { HUNG_MS } from '../../store/shared/budgets.ts';
import { markQueued, moveItem, type QueueItem, readyItems } from '../../store/shared/queue-items.ts';
import { countAlive, endSessionsOfDead, reapWorkers } from '../../store/shared/workers.ts';
import { ENGINE_SCHEMA, type Engine, MAX_RECOVERIES, queueName } from './engine.ts';

/**
 * A dead worker has to be seen twice, 2 s apart, and its builds should start again within 3 s. Many workers share the work:
 * together they look ten times a second.
 */
const EVERY_MS = { least: 300, perWorker: 100, most: 2000 };
const QUEUEING_LOCK = 47_233;
/** A worker records its result first, and the engine right after. */
const SETTLED_SECONDS = 10;
const SETTLE_EVERY_MS = 5000;
/** How often the engine may end a build without a result. */
const MAX_QUEUED_AGAIN = 5;
/** A timer that is this late: this process or its machine was suspended. */
const ASLEEP_MS = 3000;
/** As long as a worker may be silent. */
const REPORT_MS = 5000;

const secondsAgo = (seconds: number) => `(extract(epoch FROM clock_timestamp()) - ${seconds}) * 1000`;

interface EndedWorkflow extends Record<string, unknown> {
  id: number;
  feature: string;
  tries: number;
  status: string;
  /** Whether a turn was judged in it. */
  progress: boolean;
}

/**
 * What every worker does all the time, by the state on the server alone: declares silent workers dead, gives the builds of
 * dead workers back to the queue, and queues features whose dependencies are completed.
 */
export class QueueTender {
  readonly #database: PostgresDatabase;
  readonly #engine: Engine;
  readonly #worker: string;
  readonly #projects: readonly string[];
  readonly #isBusy: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** When this worker last could not see the others, as while the server restarted or the machine slept. */
  #blindAt = Number.NEGATIVE_INFINITY;
  #everyMs = EVERY_MS.least;
  #dueAt = Date.now();
  #settledAt = Number.NEGATIVE_INFINITY;

  constructor(
    { database, engine }: { database: PostgresDatabase; engine: Engine },
    { worker, projects, isBusy }: { worker: string; projects: readonly string[]; isBusy: () => boolean },
  ) {
    this.#database = database;
    this.#engine = engine;
    this.#worker = worker;
    this.#projects = projects;
    this.#isBusy = isBusy;
  }

  start(): void {
    const tick = () => {
      const now = Date.now();
      if (now - this.#dueAt > ASLEEP_MS) this.#blindAt = now;
      this.#dueAt = now + this.#everyMs;
      this.#timer = setTimeout(tick, this.#everyMs);
      this.#running ??= this.#tend().finally(() => {
        this.#running = undefined;
      });
    };
    tick();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #tend(): Promise<void> {
    try {
      await this.#reap();
      const shared = EVERY_MS.perWorker * (await countAlive(this.#database));
      this.#everyMs = Math.min(EVERY_MS.most, Math.max(EVERY_MS.least, shared));
      // Safe to fail, as for a session of another role: it ends when its process wakes up.
      await endSessionsOfDead(this.#database).catch(() => undefined);
      const orphans = await this.#orphans();
      if (orphans.length > 0) await this.#engine.recover(orphans);
      await this.#settleEnded();
      await this.#queueReady();
    } catch {
      // Safe: the state on the server is looked at again at once, by every worker.
    }
  }

  /** After an outage all workers seem silent: they get the time to report again. */
  async #reap(): Promise<void> {
    if (Date.now() - this.#blindAt < REPORT_MS) return;
    try {
      await reapWorkers(this.#database, this.#worker);
    } catch (error) {
      this.#blindAt = Date.now();
      throw error;
    }
  }

  /**
   * Workers that have builds and are not alive. This worker too, if it builds nothing: the server restarted just after it had
   * given a build to this one, or before it noted the end of one.
   */
  async #orphans(): Promise<string[]> {
    const idle = this.#isBusy() ? null : this.#worker;
    const rows = await this.#database.query<{ executor: string }>({
      text: `SELECT DISTINCT executor_id AS executor FROM ${ENGINE_SCHEMA}.workflow_status
        WHERE status = 'PENDING' AND queue_name = ANY(?::text[]) AND (
          NOT EXISTS (SELECT 1 FROM guardkit_queue.worker WHERE id = executor_id AND ended_at IS NULL)
          OR executor_id = ?::text AND updated_at < ${secondsAgo(SETTLED_SECONDS)})`,
      values: [this.#projects.map(queueName), idle],
    });
    // A build may have begun during the query.
    return rows.map(({ executor }) => executor).filter((one) => one !== this.#worker || !this.#isBusy());
  }

  /**
   * Items whose build the engine has ended without a result of ours: it took down too many workers, or the engine itself failed.
   * A long feature may outlive many workers; as long as its turns are judged, it is queued again.
   */
  async #settleEnded(): Promise<void> {
    if (Date.now() - this.#settledAt < SETTLE_EVERY_MS) return;
    this.#settledAt = Date.now();
    const rows = await this.#database.query<EndedWorkflow>({
      text: `SELECT i.id, i.feature, i.tries, s.status, EXISTS (
          SELECT 1 FROM guardkit_queue.entry e WHERE e.project = i.project AND e.feature = i.feature
            AND e.step_key LIKE '%,"judged"]' AND e.at > s.created_at) AS progress
        FROM guardkit_queue.item i JOIN ${ENGINE_SCHEMA}.workflow_status s ON s.workflow_uuid = i.workflow
        WHERE i.project = ANY(?::text[]) AND i.state IN ('queued', 'building')
          AND s.status NOT IN ('PENDING', 'ENQUEUED', 'DELAYED')
          AND s.updated_at < ${secondsAgo(SETTLED_SECONDS)}`,
      values: [[...this.#projects]],
    });
    for (const { id, feature, tries, status, progress } of rows) {
      const from = ['queued', 'building'] as const;
      const isWornOut = status === 'MAX_RECOVERY_ATTEMPTS_EXCEEDED';
      if (isWornOut ? progress : tries < MAX_QUEUED_AGAIN) {
        await moveItem(this.#database, id, { from, to: 'waiting' });
        continue;
      }
      const what = isWornOut
        ? `Its worker ended before a turn was judged, ${MAX_RECOVERIES + 1} times.`
        : `The engine ended the build (${status}).`;
      const why = `${what} Read the workers’ logs, then queue it again with \`guardkit queue add ${feature}\`.`;
      await moveItem(this.#database, id, { from, to: 'failed', why });
    }
  }

  /** By one worker at a time: with many, each would queue everything. */
  async #queueReady(): Promise<void> {
    if ((await readyItems(this.#database, this.#projects)).length === 0) return;
    await this.#database.transaction(async (session) => {
      // A worker that hangs here must not hold up the queue.
      await session.query({ text: `SET LOCAL idle_in_transaction_session_timeout = ${HUNG_MS}`, values: [] });
      const [lock] = await session.query<{ locked: boolean }>({
        text: `SELECT pg_try_advisory_xact_lock(${QUEUEING_LOCK}) AS locked`,
        values: [],
      });
      if (!lock?.locked) return;
      for (const item of await readyItems(this.#database, this.#projects)) await this.#queue(item);
    });
  }

  async #queue({ id, project, feature, priority, tries }: QueueItem): Promise<void> {
    const workflow = `${project}/${feature}/${id}-${tries}`;
    // The id makes it one build, even if this process dies before the item is marked.
    const queued = await this.#engine.enqueue({ id: workflow, project, feature, item: id, priority });
    if (queued) await markQueued(this.#database, id, workflow);
  }
}
