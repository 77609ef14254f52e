import { join } from 'node:path';
import { reading } from '../../store/ledger/in-transaction.ts';
import { AREA_ROW, type WatchTables } from '../../store/ledger/tables/watch-tables.ts';
import { forgetEndedLeftovers, hasLeftovers } from '../actions/agents-at-work.ts';
import { type AgentAction, type EndedAction, openActions, watchTables } from '../actions/open-actions.ts';
import { EffectiveObserver } from '../effective/effective-observer.ts';
import { performRestore, type RestoredFile, type RestoreOrder } from '../effective/restore-file.ts';
import { DefinitionObserver } from '../provenance/definition-observer.ts';
import { noteEndedGitCommands } from '../shell/git-command-windows.ts';
import {
  accept,
  compareArea,
  type Difference,
  isSealed,
  restamp,
  sealArea,
  wasThere,
} from '../watch/compare-area.ts';
import { type WatchArea, watchAreas } from '../watch/watch-areas.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import { FOLDER_HASH } from '../watch/watched-file.ts';

export interface ObserveOptions {
  /** Actions that have just ended. */
  ended?: readonly EndedAction[];
  /** Include the repository's other checkouts, which only programs can reach. */
  everywhere?: boolean;
  /** Compare contents, also of files with an unchanged stamp. */
  thorough?: boolean;
}

export interface Observation {
  restored: RestoredFile[];
  /** Changes of effective files that were kept, one line each. */
  noticed: string[];
  /** For the person. */
  notices: string[];
}

/**
 * Records what changed in definitions and effective files since the last observation. Definitions are never touched: a
 * version is recorded as a person's if no agent can have written it. An effective file is restored only if it changed in
 * an agent's git command, or in an action without a sandbox, and no person's commit has this version.
 */
export function observeChanges(context: WatchContext, options: ObserveOptions = {}): Observation {
  const seen: Observation = { restored: [], noticed: [], notices: [] };
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const { restored, noticed, notices } = observeOnce(context, options);
    seen.restored.push(...restored);
    seen.noticed.push(...noticed);
    seen.notices = notices;
    // If there were too many files to watch, restoring some makes room for the rest.
    if (notices.length === 0 || restored.length === 0) break;
  }
  return seen;
}

/** As many as fit into a hook's timeout. */
const MAX_ROUNDS = 4;

function observeOnce(context: WatchContext, options: ObserveOptions): Observation {
  const tables = watchTables(context.ledger);
  noteEndedGitCommands(context.dataFolder, context.git);
  if (isUnchanged(context, tables, options)) return { restored: [], noticed: [], notices: [] };
  const { orders, noticed, notices } = tables.exclusively(() => {
    const decided = decide(context, tables, options);
    forgetEndedLeftovers(context);
    return decided;
  });
  if (orders.length === 0) return { restored: [], noticed, notices };
  const restored = tables.exclusively(() => perform(tables, orders), { lasting: true });
  return { restored, noticed, notices };
}

/** Most events find everything as at the last observation, and then need no transaction that others wait for. */
function isUnchanged(context: WatchContext, tables: WatchTables, options: ObserveOptions): boolean {
  return reading(
    context.ledger,
    () =>
      !hasLeftovers(context) &&
      observedAreas(context, options).every((area) => isAreaUnchanged(tables, area, context, options)),
  );
}

function isAreaUnchanged(
  tables: WatchTables,
  area: WatchArea,
  context: WatchContext,
  { thorough = false }: ObserveOptions,
): boolean {
  const rows = tables.watched(area.key);
  const { differences, restamped, complete } = compareArea(area, rows, { thorough });
  return differences.length + restamped.length === 0 && complete && isSealed(rows, globsOf(area, context));
}

function observedAreas(context: WatchContext, { everywhere }: ObserveOptions): WatchArea[] {
  const areas = watchAreas(context, context.globs);
  return everywhere === true ? areas : areas.filter(({ kind }) => kind !== 'worktree');
}

function globsOf({ kind }: WatchArea, { globs }: WatchContext): readonly string[] {
  return kind === 'checkout' ? globs : [];
}

interface Decided {
  orders: (RestoreOrder & { what: string })[];
  noticed: string[];
  notices: string[];
}

function decide(context: WatchContext, tables: WatchTables, options: ObserveOptions): Decided {
  const decided: Decided = { orders: [], noticed: [], notices: [] };
  const open = openActions(
    tables,
    (one) => options.ended?.some(({ action }) => isSame(action, one)) ?? false,
  );
  const definitions = new DefinitionObserver(context, options.ended ?? [], open);
  const effective = new EffectiveObserver(context, options.ended ?? [], open);
  for (const area of observedAreas(context, options)) {
    const rows = tables.watched(area.key);
    const comparison = compareArea(area, rows, { thorough: options.thorough ?? false });
    const isFirst = !rows.some(({ path }) => path === AREA_ROW);
    const differences = splitDefinitions(area, comparison.differences);
    if (isFirst) definitions.observeFirst(area, differences.definitions);
    else definitions.observe(area, differences.definitions);
    for (const difference of differences.definitions) accept(tables, area, difference);
    effective.prepare(area, differences.others);
    for (const difference of differences.others) {
      const decision = isFirst ? 'take' : effective.judge(area, difference, textsOf(tables, difference));
      if (decision === 'take') accept(tables, area, difference);
      else if (decision === 'notice') {
        decided.noticed.push(effective.recordNotice(area, difference));
        accept(tables, area, difference);
      } else if (decision !== 'wait')
        decided.orders.push(effective.recordRestore(area, difference, tables, decision));
    }
    restamp(tables, area, comparison, rows);
    sealArea(tables, area, rows, globsOf(area, context));
    if (!comparison.complete) decided.notices.push(tooMany(area));
  }
  definitions.record();
  return decided;
}

function splitDefinitions(area: WatchArea, differences: readonly Difference[]) {
  const definitions: Difference[] = [];
  const others: Difference[] = [];
  for (const difference of differences) {
    const isDefinition = area.isDefinition?.(difference.path) === true;
    (isDefinition ? definitions : others).push(difference);
  }
  return { definitions, others };
}

function textsOf(tables: WatchTables, { before, found }: Difference) {
  return {
    before: before ? tables.kept(before.hash)?.toString('utf8') : undefined,
    found: found?.bytes?.toString('utf8'),
  };
}

/** After everything is recorded. If the hook is killed before this, the next observation finds the difference again. */
function perform(tables: WatchTables, orders: Decided['orders']): RestoredFile[] {
  const areas = [...new Set(orders.map(({ area }) => area))];
  return areas.flatMap((area) =>
    performIn(
      tables,
      area,
      orders.filter((order) => order.area === area),
    ),
  );
}

function performIn(tables: WatchTables, area: WatchArea, orders: Decided['orders']): RestoredFile[] {
  const rows = tables.watched(area.key);
  const folders = rows.filter(({ hash }) => hash === FOLDER_HASH);
  const modes = new Map(folders.map((row) => [join(area.folder, row.path), row.mode]));
  const restored = orders.map((order) => {
    const failure = order.perform ? order.perform() : performRestore(order, modes);
    const { path, before } = order.difference;
    return { path: area.shown(path), what: order.what, isNew: !wasThere(before), failure };
  });
  const written = new Set(orders.map(({ difference }) => difference.path));
  const ownRows = rows.filter(({ path }) => written.has(path));
  const now = compareArea(area, ownRows, { thorough: true });
  for (const one of now.differences) if (written.has(one.path)) accept(tables, area, one);
  return restored;
}

function isSame(one: AgentAction, two: AgentAction): boolean {
  return one.session === two.session && one.action === two.action && one.checkout === two.checkout;
}

function tooMany({ folder }: WatchArea): string {
  return `GuardKit: ${folder} has too many protected files to watch, so some changes are missed. Narrow the patterns under \`protected:\`.`;
}
