import { type GuardDefinition, guardFileSchema } from '../../config/guard-files/guard-file.ts';
import { projectGroup } from '../../domain/entities/group.ts';
import type { Backtest, LearnedGuard } from '../../domain/entities/learned-guard.ts';
import { type Pattern, patternSchema } from '../../domain/entities/pattern.ts';
import { oneLine } from '../../domain/json/clean-text.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import { actionReviver } from '../../guards/from-kept-action.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import { keptActions } from '../../store/ledger/tables/kept-actions.ts';
import { changeGuard, readLearnedGuards } from '../../store/ledger/tables/learned-guards.ts';
import { learnedGuardId } from '../patterns/learned-guard-id.ts';
import { type AttemptFacet, facetOfAction, facetOfWords } from './attempt-facet.ts';
import { type BacktestContext, backtestGuards } from './backtest-guards.ts';
import { type GuardMatch, guardMatches } from './guard-matches.ts';

const MAX_SHOWN = 120;
const MAX_SENTENCE = 480;

/** Guards that this pattern could become, likeliest first. Uses only text that all attempts share literally. */
export function guardCandidates(
  id: string,
  pattern: Pattern,
  facets: readonly AttemptFacet[],
): GuardDefinition[] {
  const matches = guardMatches(facets, pattern.guard);
  const agent = /^[A-Za-z][A-Za-z0-9-]{0,60}$/.test(pattern.agent) ? pattern.agent : undefined;
  const forAll = matches.map((match) => definition(id, pattern, match));
  const forOne = agent === undefined ? [] : matches.map((match) => definition(id, pattern, match, agent));
  return [...forAll, ...forOne];
}

function definition(id: string, pattern: Pattern, match: GuardMatch, agent?: string): GuardDefinition {
  const what = shown(describeMatch(match));
  const where = pattern.features.slice(-3).map(shown).join(', ');
  const times = `${pattern.count} times${where === '' ? '' : `, last in ${where}`}`;
  const who = agent === undefined ? 'Agents' : `Agents of the kind ${agent}`;
  return guardFileSchema.parse({
    id,
    summary: cut(`${who} must not ${what}: it was wrong ${times} (${pattern.pattern_id}).`),
    mode: 'shadow',
    ...match,
    ...(agent === undefined ? {} : { agents: [agent] }),
    decision: 'deny',
    reason: cut(`An attempt to ${what} was wrong ${times} (${pattern.pattern_id}).`),
    guidance: cut(guidanceOf(pattern) ?? DEFAULT_GUIDANCE),
  });
}

const DEFAULT_GUIDANCE =
  'See `guardkit trace query` for the correct way; if this case is different, a person can waive the guard.';

/** The earlier corrections without their feature ids: this may be another feature. */
function guidanceOf({ correct, features }: Pattern): string | undefined {
  const correction = oneLine(correct[0] ?? '', MAX_SENTENCE);
  return correction === ''
    ? undefined
    : features.reduce((text, feature) => text.replaceAll(feature, 'FEATURE'), correction);
}

function shown(text: string): string {
  return oneLine(text, MAX_SHOWN);
}

function cut(text: string): string {
  return oneLine(text, MAX_SENTENCE);
}

function describeMatch({ kinds, paths, commands, tools, fields }: GuardMatch): string {
  if (fields)
    return `set ${fields.map(({ field, to }) => (to === undefined ? field : `${field} to ${to}`)).join(', ')} in the feature list`;
  if (commands)
    return `run ${commands.map(({ program, subcommand, options = [], args = [] }) => [program, subcommand, ...options, ...args].filter(Boolean).join(' ')).join(', ')}`;
  if (tools) return `use ${tools.join(', ')}`;
  return `${kinds?.includes('read') ? 'read' : 'edit'} ${(paths ?? []).join(', ')}`;
}

export interface CreateGuardInput extends Omit<BacktestContext, 'wrong'> {
  store: Pick<EpisodeStore, 'get'>;
  patternId: string;
  /** A person's name, or an agent and its kind. */
  by: string;
  /** A person may propose again a guard that a person retired. */
  person: boolean;
  /** Reports without recording. */
  dryRun?: boolean;
}

export type Created =
  | { ok: true; guard: LearnedGuard; pattern: Pattern; known: boolean }
  | { ok: false; why: string; hint: string };

const HOW_TO_FIND = '`guardkit guard propose` lists the patterns of this project.';

/** Nobody reviews more, and each is evaluated for every action. */
const MAX_LEARNED = 50;

/**
 * Makes a guard from a pattern. It only watches until it is promoted; its backtest shows what it would have done so
 * far.
 */
export async function createGuard(input: CreateGuardInput): Promise<Created> {
  const { ledger, project, store, patternId, by, person, now } = input;
  const episode = await store.get(projectGroup(project, 'patterns'), patternId);
  const found = episode ?? (await store.get('patterns', patternId));
  if (!found) return refused(`No pattern ${patternId.slice(0, 80)}.`, HOW_TO_FIND);
  const pattern = patternSchema.parse(found.body);
  if (pattern.weight !== 'guard')
    return refused(
      'This pattern consists of judgements by gates and Coaches, which do not justify a refusal.',
      'Add it to the prompt of the agents instead.',
    );
  const id = learnedGuardId(pattern.pattern_id);
  if (id === undefined)
    return refused('Guards are only made from patterns that GuardKit found.', HOW_TO_FIND);
  const known = readLearnedGuards(ledger, project);
  const standing = known.find(({ guard_id }) => guard_id === id);
  if (standing && standing.mode !== 'off') return { ok: true, guard: standing, pattern, known: true };
  if (standing && !person)
    return refused(`${id} was retired.`, 'Only a person can propose a retired guard again.');
  if (known.filter(({ mode }) => mode !== 'off').length >= MAX_LEARNED)
    return refused(
      `The limit of ${MAX_LEARNED} learned guards is reached.`,
      'Retire guards that never fire with `guardkit guard retire GUARD`.',
    );
  const candidates = guardCandidates(id, pattern, attemptsOf(pattern, input));
  const chosen = choose(candidates, backtestGuards(candidates, { ...input, wrong: pattern.actions }));
  if (!chosen)
    return refused(
      'The attempted actions have too little in common for a specific guard.',
      'Write one by hand in .guardkit/guards/, or add a line to the prompt of the agents.',
    );
  const at = new Date(now).toISOString();
  const guard: LearnedGuard = {
    guard_id: id,
    definition: plain(chosen.definition),
    mode: 'shadow',
    pattern_id: pattern.pattern_id,
    origin: project,
    backtest: chosen.backtest,
    proposed_at: at,
    mode_since: at,
  };
  if (input.dryRun) return { ok: true, guard, pattern, known: false };
  // Two processes may propose the same guard; the first one wins.
  const recorded = changeGuard<LearnedGuard>(ledger, project, id, (current) =>
    current && current.mode !== 'off'
      ? { ok: false, refusal: current }
      : { ok: true, recorded: { change: 'proposed', by, why: pattern.what, guard } },
  );
  return recorded.ok
    ? { ok: true, guard: recorded.guard, pattern, known: false }
    : { ok: true, guard: recorded.refusal, pattern, known: true };
}

/** A definition as JSON, without undefined fields. */
export function plain(definition: GuardDefinition): JsonObject {
  return JSON.parse(JSON.stringify(definition)) as JsonObject;
}

/** The kept actions of the pattern's traces, or the traces' descriptions if the actions are gone. */
function attemptsOf(pattern: Pattern, { ledger, project, root, home }: CreateGuardInput): AttemptFacet[] {
  const revive = actionReviver({ root, home });
  const sessions = new Set(pattern.actions.map(({ session }) => session));
  const found: AttemptFacet[] = [];
  for (const session of sessions) {
    const wanted = new Set(
      pattern.actions.filter((one) => one.session === session).map(({ action }) => action),
    );
    for (const kept of keptActions(ledger, project, { session })) {
      if (kept.action === null || !wanted.has(kept.action)) continue;
      const action = revive(kept);
      const facet = action && facetOfAction(action);
      if (facet) found.push(facet);
    }
  }
  return found.length > 0 ? found : pattern.attempts.flatMap((attempt) => facetOfWords(attempt) ?? []);
}

/** The candidate that is wrong least often, then the one with fewest unknowns, then the likeliest. */
function choose(
  candidates: readonly GuardDefinition[],
  backtests: readonly Backtest[],
): { definition: GuardDefinition; backtest: Backtest } | undefined {
  const tried = candidates.flatMap((definition, index) => {
    const backtest = backtests[index];
    return backtest ? [{ definition, backtest }] : [];
  });
  return tried.sort(
    (a, b) => a.backtest.approved - b.backtest.approved || a.backtest.unknown - b.backtest.unknown,
  )[0];
}

function refused(why: string, hint: string): Created {
  return { ok: false, why, hint };
}
