import {
  type Fits,
  isFlag,
  isListOf,
  isObject,
  isOneOf,
  isShape,
  isText,
  isWhole,
  orNothing,
  orNull,
} from '../../../domain/json/plain-shape.ts';
import { withNewNames } from '../../../domain/json/renamed-fields.ts';
import type { Ledger } from '../ledger.ts';

/** Relative to the project, or absolute outside it; with the rule that protects it and any protected path below it. */
export type KeptPath = string | readonly [path: string, protectedAs: string | null, below: string | null];

export interface KeptEdit {
  file: KeptPath;
  /** The action would remove the file. */
  gone?: boolean | undefined;
  /** For the feature list: JSON with only the features and fields that would change. */
  list?: string | undefined;
  /** Digests of the content before and after, if known. */
  was?: string | undefined;
  is?: string | undefined;
}

/** A compact action: false and unknown fields are omitted. */
export interface KeptBody {
  agent: string;
  type?: string | undefined;
  actor?: string | undefined;
  tool: string;
  /** Omitted if tool and command are enough. */
  summary?: string | undefined;
  attempted: string;
  driven?: boolean | undefined;
  asks?: boolean | undefined;
  feature?: string | undefined;
  task?: string | undefined;
  turn?: number | undefined;
  /** Guard, decision, and why it had no effect. */
  findings?: { guard: string; decision: string; silent: string | null }[] | undefined;
  files?: KeptPath[] | undefined;
  whole?: boolean | undefined;
  edits?: KeptEdit[] | undefined;
  command?: string | undefined;
  /** Like a path. */
  cwd?: string | undefined;
  reaches?: { file: KeptPath; mode: string; by: string; glob?: boolean | undefined }[] | undefined;
  background?: boolean | undefined;
  spawned?: string | undefined;
  name?: string | undefined;
  /** JSON of a tool's input, if short. */
  input?: string | undefined;
  mentions?: KeptPath[] | undefined;
  of?: 'session' | 'subagent' | undefined;
  again?: boolean | undefined;
  changed?: string[] | undefined;
}

export interface KeptAction {
  id: number;
  project: string;
  session: string;
  action: string | null;
  /** Milliseconds since 1970. */
  at: number;
  kind: string;
  decision: string;
  body: KeptBody;
}

const maybeText = orNothing(isText);
const maybeFlag = orNothing(isFlag);
const isPath: Fits<KeptPath> = (value): value is KeptPath =>
  isText(value) ||
  (Array.isArray(value) &&
    value.length === 3 &&
    isText(value[0]) &&
    value.slice(1).every((one) => one === null || isText(one)));
const maybePaths = orNothing(isListOf(isPath));

const isBody: Fits<KeptBody> = isShape({
  agent: isText,
  type: maybeText,
  actor: maybeText,
  tool: isText,
  summary: maybeText,
  attempted: isText,
  driven: maybeFlag,
  asks: maybeFlag,
  feature: maybeText,
  task: maybeText,
  turn: orNothing(isWhole),
  findings: orNothing(isListOf(isShape({ guard: isText, decision: isText, silent: orNull(isText) }))),
  files: maybePaths,
  whole: maybeFlag,
  edits: orNothing(
    isListOf(isShape({ file: isPath, gone: maybeFlag, list: maybeText, was: maybeText, is: maybeText })),
  ),
  command: maybeText,
  cwd: maybeText,
  reaches: orNothing(isListOf(isShape({ file: isPath, mode: isText, by: isText, glob: maybeFlag }))),
  background: maybeFlag,
  spawned: maybeText,
  name: maybeText,
  input: maybeText,
  mentions: maybePaths,
  of: orNothing(isOneOf(['session', 'subagent'])),
  again: maybeFlag,
  changed: orNothing(isListOf(isText)),
});

const RENAMED = { attempt: 'attempted' };

const isRow = isShape({
  id: isWhole,
  project: isText,
  session: isText,
  action: orNull(isText),
  at: isWhole,
  kind: isText,
  decision: isText,
  body: isText,
});

/** Returns its id. The caller decides how long to wait for the disk. */
export function insertKeptAction({ file }: Ledger, kept: Omit<KeptAction, 'id'>): number {
  const { database, attempt } = file;
  const { lastInsertRowid } = attempt(() =>
    database
      .prepare(
        `INSERT INTO kept_actions (project, session, action, at, kind, decision, body)
         VALUES (@project, @session, @action, @at, @kind, @decision, @body)`,
      )
      .run({ ...kept, body: JSON.stringify(kept.body) }),
  );
  return Number(lastInsertRowid);
}

export interface KeptActionsOptions {
  session?: string;
  /** Only later actions. */
  afterId?: number;
  /** Only the last N. */
  last?: number;
  /** A test on the stored text before parsing; actions that fail it are skipped. */
  likely?: (kind: string, text: string) => boolean;
}

/** Read in pages, so that a slow reader sees one state and blocks nobody. */
const PAGE = 1000;

/** Oldest first. Skips unreadable actions: they only serve learning. */
export function* keptActions(
  ledger: Ledger,
  project: string,
  { session, afterId = 0, last, likely }: KeptActionsOptions = {},
): Generator<KeptAction, void, undefined> {
  let after = Math.max(afterId, last === undefined ? 0 : beforeLast(ledger, project, session, last));
  for (;;) {
    const rows = page(ledger, project, session, after);
    for (const row of rows) {
      if (!isRow(row)) return;
      after = row.id;
      if (likely && !likely(row.kind, row.body)) continue;
      const body = readBody(row.body);
      if (body) yield { ...row, body };
    }
    if (rows.length < PAGE) return;
  }
}

export function countKeptActions({ file }: Ledger, project: string): number {
  const { database, attempt } = file;
  return attempt(() =>
    Number(database.prepare('SELECT count(*) FROM kept_actions WHERE project = ?').pluck().get(project)),
  );
}

function page({ file }: Ledger, project: string, session: string | undefined, after: number): unknown[] {
  const { database, attempt } = file;
  const of = session === undefined ? '' : 'AND session = @session';
  return attempt(() =>
    database
      .prepare(
        `SELECT id, project, session, action, at, kind, decision, body FROM kept_actions
         WHERE project = @project ${of} AND id > @after ORDER BY id LIMIT ${PAGE}`,
      )
      .all({ project, after, ...(session === undefined ? {} : { session }) }),
  );
}

function beforeLast({ file }: Ledger, project: string, session: string | undefined, last: number): number {
  const { database, attempt } = file;
  const of = session === undefined ? '' : 'AND session = @session';
  const found: unknown = attempt(() =>
    database
      .prepare(
        `SELECT id FROM kept_actions WHERE project = @project ${of} ORDER BY id DESC LIMIT 1 OFFSET @last`,
      )
      .pluck()
      .get({ project, last: Math.max(0, Math.trunc(last)), ...(session === undefined ? {} : { session }) }),
  );
  return typeof found === 'number' ? found : 0;
}

function readBody(text: string): KeptBody | undefined {
  try {
    const found: unknown = JSON.parse(text);
    const body = isObject(found) ? withNewNames(found, RENAMED) : found;
    return isBody(body) ? body : undefined;
  } catch {
    // Safe: as above.
    return undefined;
  }
}

/** Limits for the kept actions. */
interface KeptLimits {
  days: number;
  megabytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Per call, so that nobody waits long; the next call continues. */
const MAX_DELETED = 5000;

/**
 * Deletes kept actions and transcript lines that are too old, and actions beyond the size limit, oldest first. Returns
 * the number of deleted actions.
 */
export function pruneKept(
  { file }: Ledger,
  project: string,
  { days, megabytes }: KeptLimits,
  now: number,
): number {
  const { database, attempt } = file;
  const before = now - days * DAY_MS;
  return attempt(() => {
    database
      .prepare(
        `DELETE FROM sayings WHERE id IN (SELECT id FROM sayings WHERE project = ? AND at < ? ORDER BY at LIMIT ${MAX_DELETED})`,
      )
      .run(project, before);
    // Ids grow with time, as far as the clock does.
    const old = database
      .prepare(
        `DELETE FROM kept_actions WHERE id IN
           (SELECT id FROM kept_actions WHERE project = ? AND at < ? ORDER BY id LIMIT ${MAX_DELETED})`,
      )
      .run(project, before).changes;
    const first: unknown = database
      .prepare(
        `SELECT max(id) FROM (SELECT id, sum(length(body) + 100) OVER (ORDER BY id DESC) AS bytes
           FROM kept_actions WHERE project = @project) WHERE bytes > @most`,
      )
      .pluck()
      .get({ project, most: megabytes * 1_000_000 });
    if (typeof first !== 'number') return old;
    const much = database
      .prepare(
        `DELETE FROM kept_actions WHERE id IN
           (SELECT id FROM kept_actions WHERE project = ? AND id <= ? ORDER BY id LIMIT ${MAX_DELETED})`,
      )
      .run(project, first).changes;
    return old + much;
  });
}
