import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectGroup } from '../../src/domain/entities/group.ts';
import { type StoredTrace, type Trace, traceSchema } from '../../src/domain/entities/trace.ts';
import { learningSettings } from '../../src/learning/learning-settings.ts';
import { extractPatterns } from '../../src/learning/patterns/extract-patterns.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import {
  insertKeptAction,
  type KeptAction,
  type KeptBody,
} from '../../src/store/ledger/tables/kept-actions.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export const PROJECT = 'shop-1';
export const { thresholds: THRESHOLDS } = learningSettings(undefined);

export interface TraceParts {
  type?: Trace['type'];
  source?: Trace['source'];
  outcome?: Trace['outcome'];
  agent?: string;
  feature?: string | null;
  session?: string | null;
  guard?: string | null;
  attempted?: string | null;
  action?: string | null;
  what?: string;
  correct?: string;
  confidence?: number;
}

export function traceBody(parts: TraceParts = {}): Trace {
  return traceSchema.parse({
    type: parts.type ?? 'violation',
    source: parts.source ?? 'enforcement_hook',
    outcome: parts.outcome ?? 'denied',
    context: {
      agent: parts.agent ?? 'coding',
      feature: parts.feature === undefined ? 'FEAT-1' : parts.feature,
      session: parts.session === undefined ? 's1' : parts.session,
    },
    event: {
      what_happened: parts.what ?? 'Write the list of features with a field that is not its own',
      what_was_correct: parts.correct ?? 'Leave the field as it is',
    },
    guard: parts.guard === undefined ? 'block-tested-true' : parts.guard,
    attempted: parts.attempted === undefined ? 'edit .claude/progress/feature-list.json' : parts.attempted,
    action: parts.action ?? null,
    confidence: parts.confidence ?? 1,
  });
}

let numbers = 0;

export function storedTrace(parts: TraceParts & { id?: string; at?: string } = {}): StoredTrace {
  numbers += 1;
  return {
    ...traceBody(parts),
    id: parts.id ?? `TRACE-t-${numbers}`,
    project: PROJECT,
    timestamp: parts.at ?? '2026-03-02T10:00:00.000Z',
  };
}

/** A ledger and a store with traces, on a clock that advances by itself. */
export async function openMemory() {
  const folder = temporaryFolder();
  let now = Date.parse('2026-03-02T10:00:00.000Z');
  const clock = () => {
    now += 1;
    return now;
  };
  const ledgerPath = join(folder, 'ledger.db');
  const ledger = openLedger({ path: ledgerPath, clock });
  const store = await openSqliteStore({ path: join(folder, 'guardkit.db'), clock });
  onTestFinished(async () => {
    ledger.close();
    await store.close();
  });
  let traces = 0;
  return {
    folder,
    ledger,
    ledgerPath,
    store,
    wait: (ms: number) => {
      now += ms;
    },
    now: () => now,
    async tell(...all: TraceParts[]): Promise<void> {
      await store.upsertMany(
        all.map((parts) => {
          traces += 1;
          return {
            group: projectGroup(PROJECT, 'traces'),
            entity_type: 'trace',
            entity_id: `TRACE-x-${traces}`,
            body: traceBody(parts),
            source: 'ledger',
          };
        }),
      );
    },
    extract: (thresholds = THRESHOLDS) => extractPatterns({ ledger, store, project: PROJECT, thresholds }),
    keep(parts: Partial<Omit<KeptAction, 'body'>> & { body?: Partial<KeptBody> } = {}): number {
      const { body, ...rest } = parts;
      return insertKeptAction(ledger, {
        project: PROJECT,
        session: 's1',
        action: null,
        at: clock(),
        kind: 'command',
        decision: 'allow',
        ...rest,
        body: { agent: 'claude', tool: 'Bash', attempted: '', ...body },
      });
    },
  };
}
