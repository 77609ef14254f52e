import { guardFileSchema } from '../../config/guard-files/guard-file.ts';
import type { Backtest, LearnedGuard } from '../../domain/entities/learned-guard.ts';
import type { Pattern } from '../../domain/entities/pattern.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import { lastApprovals } from '../../store/ledger/approvals.ts';
import { keptActions } from '../../store/ledger/tables/kept-actions.ts';
import { readLearnedGuards } from '../../store/ledger/tables/learned-guards.ts';
import type { AutoPromotion, LearningSettings } from '../learning-settings.ts';
import { type BacktestContext, backtestGuards } from './backtest-guards.ts';
import { demoteGuard, promoteGuard } from './change-learned-guard.ts';
import { createGuard } from './create-guard.ts';
import { guardRecord } from './guard-record.ts';

const GUARDKIT = 'GuardKit';

export interface ReviewInput extends Omit<BacktestContext, 'wrong'> {
  settings: Pick<LearningSettings, 'autoPromote' | 'demoteAfter'>;
}

/** Demotes learned guards that hinder work people want; they only watch again. */
export function demoteWrongGuards({ ledger, project, settings, now }: ReviewInput): string[] {
  const acting = readLearnedGuards(ledger, project).filter(isActing);
  if (acting.length === 0) return [];
  const approvals = lastApprovals(ledger, project);
  return acting.flatMap((guard) => {
    const since = Date.parse(guard.mode_since);
    const { waived, approved } = guardRecord(ledger, project, guard.guard_id, {
      since,
      kept: keptActions(ledger, project, { likely: (_kind, text) => text.includes(guard.guard_id) }),
      approvals,
    });
    const wrong = waived + approved;
    if (wrong < settings.demoteAfter) return [];
    const why = `A person waived it ${waived} times, and work that it warned about was approved ${approved} times, since ${guard.mode_since}.`;
    const changed = demoteGuard({ ledger, project, guardId: guard.guard_id, now, by: GUARDKIT, why });
    return changed.ok
      ? [
          `${guard.guard_id} now only watches. ${why} Run \`guardkit guard promote ${guard.guard_id}\` to turn it on again.`,
        ]
      : [];
  });
}

/** Demotes guards whose pattern is gone; they only watch until a person promotes them. */
export function demoteWithdrawnGuards(
  { ledger, project, now }: Pick<ReviewInput, 'ledger' | 'project' | 'now'>,
  patterns: readonly string[],
): string[] {
  if (patterns.length === 0) return [];
  const why = 'The changes it was made from may have been the person’s own.';
  return readLearnedGuards(ledger, project)
    .filter((guard) => isActing(guard) && patterns.includes(guard.pattern_id))
    .flatMap(({ guard_id: guardId }) => {
      const changed = demoteGuard({ ledger, project, guardId, now, by: GUARDKIT, why });
      return changed.ok
        ? [
            `${guardId} now only watches. ${why} Run \`guardkit guard promote ${guardId}\` to turn it on again.`,
          ]
        : [];
    });
}

function isActing({ mode }: LearnedGuard): boolean {
  return mode === 'warn' || mode === 'enforce';
}

/** Within the person's limits, makes guards from patterns and promotes those that were never wrong. */
export async function promoteProvenGuards(
  input: ReviewInput & { store: Pick<EpisodeStore, 'get'>; patterns: readonly Pattern[] },
): Promise<string[]> {
  const { ledger, project, settings, patterns, now } = input;
  const limits = settings.autoPromote;
  if (!limits) return [];
  const notices: string[] = [];
  for (const pattern of patterns.filter(({ suggests }) =>
    suggests.some(({ what }) => what === 'new_guard'),
  )) {
    const made = await createGuard({ ...input, patternId: pattern.pattern_id, by: GUARDKIT, person: false });
    if (made.ok && !made.known)
      notices.push(
        `${made.guard.guard_id} was made from ${pattern.pattern_id} and only watches: ${pattern.what}`,
      );
  }
  // A demoted guard waits for a person: the limits that promoted it were not strict enough.
  const demoted = demotedGuards(input);
  for (const guard of readLearnedGuards(ledger, project)) {
    if (guard.mode !== 'shadow' || demoted.has(guard.guard_id) || guard.origin !== project) continue;
    const { actions: wrong = [] } = patterns.find(({ pattern_id }) => pattern_id === guard.pattern_id) ?? {};
    const [backtest] = backtestGuards([guardFileSchema.parse(guard.definition)], { ...input, wrong });
    if (!backtest || !isProven(backtest, limits)) continue;
    const why = `It would have refused ${backtest.violations} violations (needed: ${limits.hits}) and no approved work.`;
    const change = { ledger, project, guardId: guard.guard_id, now, by: GUARDKIT, why };
    if (promoteGuard(change, limits.to, backtest).ok)
      notices.push(`${guard.guard_id} is now in mode ${limits.to}. ${why}`);
  }
  return notices;
}

/** Never wrong, right often enough, and more often known to be right than unknown. */
function isProven({ approved, violations, unknown }: Backtest, { hits }: AutoPromotion): boolean {
  return approved === 0 && violations >= hits && unknown < violations;
}

function demotedGuards({ ledger, project }: ReviewInput): Set<string> {
  const { database, attempt } = ledger.file;
  const ids = attempt(() =>
    database
      .prepare(
        `SELECT DISTINCT body ->> '$.guard.guard_id' FROM entries
         WHERE project = ? AND kind = 'guard_recorded' AND body ->> '$.change' = 'demoted'`,
      )
      .pluck()
      .all(project),
  );
  return new Set(ids.map(String));
}
