import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { readTraceGroups } from '../../store/ledger/tables/trace-groups.ts';
import { transcriptSince } from '../../store/ledger/tables/transcript.ts';
import { groupOf } from '../patterns/place-traces.ts';
import type { MetricFacts } from './compute-metrics.ts';

/** Guards against claiming unfinished work as done. */
const ABOUT_DONE = ['block-tested-true', 'verify-implementation'];
const DOCTOR = 'guardkit-doctor-%';

/** Collects the facts from the ledger. The groups of traces must be up to date. */
export function gatherMetricFacts(ledger: Ledger, project: string, root: string, since: number): MetricFacts {
  const { database, attempt } = ledger.file;
  const rows = (sql: string): unknown[][] =>
    attempt(
      () =>
        database
          .prepare(sql)
          .raw()
          .all({ project, since, doctor: DOCTOR, done: JSON.stringify(ABOUT_DONE) }) as unknown[][],
    );
  return {
    premature: rows(PREMATURE).map(([at, stopped]) => ({ at: Number(at), stopped: stopped === 1 })),
    prompts: transcriptSince(ledger, project, since)
      .filter(({ who }) => who === 'person')
      .map(({ at }) => ({ at })),
    finished: rows(FINISHED).map(([feature, at]) => ({ feature: String(feature), at: Number(at) })),
    promptSizes: rows(PROMPT_SIZES).map(([at, tokens]) => ({ at: Number(at), tokens: Number(tokens) })),
    agentFiles: agentFiles(root),
    mistakes: mistakesByDay(ledger, project, since),
    actions: rows(ACTIONS).map(([at, all, refused, warned]) => ({
      at: Number(at),
      all: Number(all),
      refused: Number(refused),
      warned: Number(warned),
    })),
  };
}

const IN_TIME = 'project = @project AND at >= @since';

/** Refused before, detected after, or claimed by a Coach without evidence. */
const PREMATURE = `
  SELECT at, 1 FROM entries WHERE ${IN_TIME} AND kind = 'action_judged' AND body ->> '$.decision' = 'deny'
    AND body ->> '$.session' NOT LIKE @doctor AND EXISTS (SELECT 1 FROM json_each(body, '$.findings') f
      WHERE f.value ->> '$.guard' IN (SELECT value FROM json_each(@done)) AND f.value ->> '$.silent' IS NULL)
  UNION ALL
  SELECT at, body ->> '$.restored' FROM entries WHERE ${IN_TIME} AND kind = 'violation_recorded'
    AND body ->> '$.session' NOT LIKE @doctor AND body ->> '$.guard' IN (SELECT value FROM json_each(@done))
  UNION ALL
  SELECT at, 1 FROM entries WHERE ${IN_TIME} AND kind = 'turn_recorded' AND body ->> '$.completed_at' IS NOT NULL
    AND json_array_length(body, '$.quality_gate_results.overridden_because') > 0`;

const FINISHED = `
  SELECT body ->> '$.feature_id', max(at) FROM entries WHERE ${IN_TIME} AND
    ((kind = 'verification_recorded' AND body ->> '$.outcome' = 'pass' AND body ->> '$.task_id' IS NULL)
     OR kind = 'feature_completed')
  GROUP BY 1`;

const PROMPT_SIZES = `
  SELECT at, body ->> '$.data.prompt_tokens' FROM entries
  WHERE ${IN_TIME} AND kind = 'turn_step' AND body ->> '$.data.prompt_tokens' IS NOT NULL`;

const ACTIONS = `
  SELECT min(at), count(*), sum(decision = 'deny'), sum(decision = 'warn') FROM kept_actions
  WHERE ${IN_TIME} GROUP BY at / 86400000`;

const DAY_MS = 86_400_000;

function mistakesByDay(ledger: Ledger, project: string, since: number): MetricFacts['mistakes'] {
  const days = new Map<string, { times: number; first: number }>();
  const add = (day: string, times: number, first: number) => {
    const known = days.get(day) ?? { times: 0, first: 0 };
    days.set(day, { times: known.times + times, first: known.first + first });
  };
  for (const { body } of readTraceGroups(ledger, project)) {
    const group = groupOf(body);
    for (const [day, times] of group.days) add(day, times, 0);
    add(group.firstAt.slice(0, 10), 0, 1);
  }
  // Counts are per day, so the first day counts in full from the start of the range.
  return [...days]
    .filter(([day]) => Date.parse(day) + DAY_MS > since)
    .map(([day, counts]) => ({ at: Math.max(Date.parse(day), since), ...counts }));
}

const MAX_FILES = 100;

function agentFiles(root: string): MetricFacts['agentFiles'] {
  const folder = join(root, '.claude', 'agents');
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .slice(0, MAX_FILES)
      .map((name) => ({
        file: `.claude/agents/${name}`,
        lines: readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').length,
      }));
  } catch {
    // Safe: a project without agents of its own has no such files.
    return [];
  }
}
