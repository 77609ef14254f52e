import { isOneOf, isShape, isText, isWhole } from '../../../domain/json/plain-shape.ts';
import type { Ledger } from '../ledger.ts';

export const SPEAKERS = ['person', 'program', 'agent', 'interruption'] as const;

/** One message in an agent's session. */
export interface TranscriptLine {
  id: number;
  project: string;
  session: string;
  /** Milliseconds since 1970. */
  at: number;
  /**
   * A program may prompt an agent instead of a person; `agent` is its last message before it stopped; an interruption
   * has no words, only the tool that the person interrupted.
   */
  who: (typeof SPEAKERS)[number];
  /** Scrubbed and shortened; empty if the text is not kept. */
  text: string;
}

const isLine = isShape({
  id: isWhole,
  project: isText,
  session: isText,
  at: isWhole,
  who: isOneOf(SPEAKERS),
  text: isText,
});

/** The caller decides how long to wait for the disk. */
export function insertTranscriptLine({ file }: Ledger, line: Omit<TranscriptLine, 'id'>): void {
  const { database, attempt } = file;
  attempt(() =>
    database
      .prepare(
        'INSERT INTO sayings (project, session, at, who, text) VALUES (@project, @session, @at, @who, @text)',
      )
      .run(line),
  );
}

/** Of a session, newest first. */
export function lastTranscriptLines(
  { file }: Ledger,
  project: string,
  session: string,
  limit: number,
): TranscriptLine[] {
  const { database, attempt } = file;
  return attempt(() =>
    database
      .prepare(
        `SELECT id, project, session, at, who, text FROM sayings
         WHERE project = ? AND session = ? ORDER BY id DESC LIMIT ?`,
      )
      .all(project, session, limit),
  ).filter(isLine);
}

/** Of a project since a time, oldest first, without texts. */
export function transcriptSince(
  { file }: Ledger,
  project: string,
  since = 0,
): Omit<TranscriptLine, 'text'>[] {
  const { database, attempt } = file;
  return attempt(() =>
    database
      .prepare(
        `SELECT id, project, session, at, who, '' AS text FROM sayings
         WHERE project = ? AND at >= ? ORDER BY at, id`,
      )
      .all(project, since),
  )
    .filter(isLine)
    .map(({ text: _text, ...line }) => line);
}

/** Whether the agent of a session has written a message or acted. */
export function hasSaidOrDone({ file }: Ledger, project: string, session: string): boolean {
  const { database, attempt } = file;
  const found = database.prepare(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM sayings WHERE project = @project AND session = @session AND who = 'agent')
       OR EXISTS (SELECT 1 FROM kept_actions WHERE project = @project AND session = @session)`,
  );
  return attempt(() => found.get({ project, session }) !== undefined);
}
