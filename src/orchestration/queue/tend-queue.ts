import type { PostgresDatabase } from '../../store/postgres/postgres-database.ts';
import { moveItem, type QueueItem, readyItems } from '../../store/shared/queue-items.ts';
import { endSessionsOfDead, reapWorkers } from '../../store/shared/workers.ts';
import { ENGINE_SCHEMA, type Engine, MAX_RECOVERIES, queueName } from './engine.ts';

/** A dead worker has to be seen twice, 2 s apart, and its builds should start again within 3 s. */
const EVERY_MS = 300;
const QUEUEING_LOCK = 47_233;
/** A worker records its result first, and the engine right after. */
const SETTLED_SECONDS = 10;

/**
 * What every worker does all the time, by the state on the server alone: declares silent workers dead, gives the builds of
 * dead workers back to the queue, and queues features whose dependencies are completed.
 */
export class QueueTender {
  readonly #database: PostgresDatabase;
  readonly #engine: Engine;
  readonly #worker: string;
  readonly #projects: readonly string[];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(database: PostgresDatabase, engine: Engine, worker: string, projects: readonly string[]) {
    this.#database = database;
    this.#engine = engine;
    this.#worker = worker;
    this.#projects = projects;
  }

  start(): void {
    const tick = () => {
      this.#running ??= this.#tend().finally(() => {
        this.#running = undefined;
      });
    };
    this.#timer = setInterval(tick, EVERY_MS);
    tick();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #tend(): Promise<void> {
    try {
      await reapWorkers(this.#database, this.#worker);
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

  /** Workers that have builds and are not alive. */
  async #orphans(): Promise<string[]> {
    const rows = await this.#database.query<{ executor: string }>({
      text: `SELECT DISTINCT executor_id AS executor FROM ${ENGINE_SCHEMA}.workflow_status
        WHERE status = 'PENDING' AND queue_name = ANY(?::text[]) AND NOT EXISTS (
          SELECT 1 FROM guardkit_queue.worker WHERE id = executor_id AND ended_at IS NULL)`,
      values: [this.#projects.map(queueName)],
    });
    return rows.map(({ executor }) => executor);
  }

  /** Items whose build the engine has ended without a result of ours: it took down too many workers, or failed itself. */
  async #settleEnded(): Promise<void> {
    const rows = await this.#database.query<{ id: number; feature: string; status: string }>({
      text: `SELECT i.id, i.feature, s.status FROM guardkit_queue.item i
        JOIN ${ENGINE_SCHEMA}.workflow_status s ON s.workflow_uuid = i.workflow
        WHERE i.project = ANY(?::text[]) AND i.state IN ('queued', 'building')
          AND s.status NOT IN ('PENDING', 'ENQUEUED', 'DELAYED')
          AND s.updated_at < (extract(epoch FROM clock_timestamp()) - ${SETTLED_SECONDS}) * 1000`,
      values: [[...this.#projects]],
    });
    for (const { id, feature, status } of rows) {
      const what =
        status === 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'
          ? `Its worker ended before the build did, ${MAX_RECOVERIES + 1} times.`
          : `The engine ended the build (${status}).`;
      const why = `${what} Read the workers’ logs, then queue it again with \`guardkit queue add ${feature}\`.`;
      await moveItem(this.#database, id, { from: ['queued', 'building'], to: 'failed', why });
    }
  }

  /** By one worker at a time: with many, each would queue everything. */
  async #queueReady(): Promise<void> {
    if ((await readyItems(this.#database, this.#projects)).length === 0) return;
    await this.#database.transaction(async (session) => {
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
    if (queued) await moveItem(this.#database, id, { from: ['waiting'], to: 'queued', workflow });
  }
}
