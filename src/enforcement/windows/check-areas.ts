import { join } from 'node:path';
import { SESSION_STATE_PATH } from '../../domain/protected-paths.ts';
import type { NewViolation } from '../../store/ledger/kinds/violation-recorded.ts';
import type { WatchedRow, WatchTables } from '../../store/ledger/watch-tables.ts';
import { accept, markedRow, markOf, restamp } from './area-state.ts';
import { changedBefore } from './changed-before.ts';
import { absolutePath, type Comparison, compareArea, type Difference, wasThere } from './compare-area.ts';
import { FOLDER_HASH, lookAt, NOTHING_HASH } from './found.ts';
import { judgeDifference } from './judge-differences.ts';
import { mendKnowledge } from './mend-knowledge.ts';
import { isOwnText } from './own-text.ts';
import { putBackMarked } from './put-back-marked.ts';
import { quarantine, quarantineFolder } from './quarantine.ts';
import { type Restored, tellPerson, type WindowResult } from './restored.ts';
import { workOf } from './sessions.ts';
import { Vouching } from './vouching.ts';
import type { WatchArea } from './watch-areas.ts';
import type { WatchPlace } from './watch-place.ts';
import type { ActionWindow } from './window.ts';

export interface CheckOptions {
  /** In whose window it is looked. */
  window: ActionWindow;
  /** Other things of agents went on at the same time. */
  uncertain: boolean;
  /** Read everything, whatever the stamps say. */
  thorough: boolean;
  /** In these areas nothing else went on, and what changed before this moment is not the action's. */
  began?: { at: number; areas: readonly WatchArea[] } | undefined;
}

/**
 * Looks at areas inside of a window: what differs is put back, unless a person stands behind it. First everything is
 * recorded and marked, then it is put back: whoever is killed in between leaves marks that the next one sees to.
 */
export function checkAreas(
  place: WatchPlace,
  tables: WatchTables,
  areas: readonly WatchArea[],
  options: CheckOptions,
): WindowResult {
  const { recorded, marked, unfinished, notices } = tables.exclusively(() =>
    recordAreas(place, tables, areas, options),
  );
  if (!marked) return { restored: recorded, notices: [...notices, ...tellPerson(recorded)] };
  // Lasting, and with it what was recorded before.
  const failures = tables.exclusively(() => putBackMarked(place, tables, areas, options.window), {
    lasting: true,
  });
  const restored = recorded.map((one) => ({ ...one, failure: failures.get(one.path) }));
  return { restored, notices: [...notices, ...tellPerson(restored)], unfinished };
}

function recordAreas(
  place: WatchPlace,
  tables: WatchTables,
  areas: readonly WatchArea[],
  options: CheckOptions,
): { recorded: Restored[]; marked: boolean; unfinished: boolean; notices: string[] } {
  const vouching = new Vouching(place, tables);
  // Also where nothing differs: what the agent gave a name to is then known to be its own.
  if (options.window.body.runs && areas.some(({ kind }) => kind === 'repository')) vouching.tips();
  const found = areas.map((area) => {
    const altered = mendKnowledge(place, tables, area, options.window);
    const rows = tables.watched(area.key);
    const comparison = compareArea(area, rows, { thorough: options.thorough || altered, quiet: false });
    restamp(tables, area, comparison.complete ? comparison : withFoldersUnread(comparison), rows);
    const differences = comparison.differences.filter((difference) => {
      if (!isEarlier(area, difference, options)) return true;
      accept(tables, area, difference);
      return false;
    });
    const { wrong, mended } = judgeAll(place, tables, area, differences, vouching);
    const recorded = wrong.map((difference) => record(place, tables, area, difference, options));
    const marked = mended || wrong.length > 0 || rows.some((row) => markOf(row) !== undefined);
    // A person may have more than is watched; then it stays so, whatever is put back.
    return { recorded, marked, unfinished: !comparison.complete && wrong.length > 0 };
  });
  return {
    unfinished: found.some(({ unfinished }) => unfinished),
    recorded: found.flatMap(({ recorded }) => recorded),
    marked: found.some(({ marked }) => marked),
    notices: vouching.notices,
  };
}

/** There is more in them than was looked at, which their stamps would hide the next time. */
function withFoldersUnread(comparison: Comparison): Comparison {
  const restamped = comparison.restamped.map((row) =>
    row.hash === FOLDER_HASH ? { ...row, stamp: '' } : row,
  );
  return { ...comparison, restamped };
}

/** A person's change, made while the agent's program asked them whether it may act. */
function isEarlier(area: WatchArea, difference: Difference, { began }: CheckOptions): boolean {
  if (!began?.areas.includes(area)) return false;
  const { before } = difference;
  return (before === undefined || markOf(before) === undefined) && changedBefore(area, difference, began.at);
}

/** Takes over what may be as it is, and gives what may not. */
function judgeAll(
  { ledger }: WatchPlace,
  tables: WatchTables,
  area: WatchArea,
  differences: readonly Difference[],
  vouching: Vouching,
): { wrong: Difference[]; mended: boolean } {
  const unclear: Difference[] = [];
  let mended = false;
  for (const difference of differences) {
    const { path, before, found } = difference;
    if (before?.hash === NOTHING_HASH && !found) tables.unwatch(area.key, path);
    // Recorded already by somebody who did not come to put it back.
    else if (before && markOf(before) === (found?.hash ?? NOTHING_HASH)) mended = true;
    else if (isState(area, difference) && isOwnText(ledger, absolutePath(area, path), found?.hash ?? ''))
      accept(tables, area, difference);
    else {
      const judgement = judgeDifference(area, difference, {
        before: wasThere(before) ? tables.kept(before.hash)?.toString('utf8') : undefined,
        found: found?.bytes?.toString('utf8'),
      });
      if (judgement === 'unclear') unclear.push(difference);
      else if (judgement === 'harmless') accept(tables, area, difference);
      else if (judgement === 'mode' && before) {
        tables.watch(area.key, markedRow(before, before.hash));
        mended = true;
      } else if (judgement === 'leftover' && found) {
        tables.watch(area.key, markedRow(nothingAt(path), found.hash));
        mended = true;
      }
    }
  }
  const vouched = vouching.vouched(area, unclear);
  for (const difference of unclear) if (vouched.has(difference.path)) accept(tables, area, difference);
  return { wrong: unclear.filter(({ path }) => !vouched.has(path)), mended };
}

/** GuardKit writes it while agents act, and may be seen, or killed, in the middle of that. */
function isState({ kind }: WatchArea, { path, found }: Difference): boolean {
  return kind === 'checkout' && path === SESSION_STATE_PATH && found?.kind === 'file';
}

/** Copies what was found, puts it into the chain and marks it as to be put back. */
function record(
  { ledger, project, dataFolder }: WatchPlace,
  tables: WatchTables,
  area: WatchArea,
  difference: Difference,
  { window: { session, action, body }, uncertain }: CheckOptions,
): Restored {
  const { path, before, found } = difference;
  const absolute = absolutePath(area, path);
  const shown = area.shown(path);
  const how = describe(difference);
  const copy = found ? quarantine(dataFolder, project, absolute, found) : null;
  const during = body.state === 'open' ? 'during' : 'by what was left running after';
  const violation: NewViolation = {
    session,
    agent: body.agent,
    agent_type: body.agent_type,
    guard: 'protected-set',
    what: `${shown} ${how} ${during}: ${body.summary.slice(0, 300)}${uncertain ? ' (among other actions)' : ''}`,
    path: shown,
    before_hash: wasThere(before) ? before.hash : null,
    found_hash: found?.hash ?? null,
    quarantined: copy,
    restored: true,
    action,
    ...workOf({ ledger, project }, session),
  };
  ledger.append(project, 'violation_recorded', violation);
  const known = wasThere(before) ? before : nothingAt(path);
  // What is too large to copy, or a folder, is no longer there.
  const left = found && lookAt(absolute) ? found.hash : NOTHING_HASH;
  tables.watch(area.key, markedRow(known, left));
  return {
    path: shown,
    how,
    copy: copy === null ? undefined : join(quarantineFolder(dataFolder), copy),
    recoverable: found === undefined || found.kind === 'file',
    failure: undefined,
    session,
    agent: body.agent,
    agentType: body.agent_type ?? undefined,
    action,
    uncertain,
  };
}

function nothingAt(path: string): WatchedRow {
  return { path, stamp: '', hash: NOTHING_HASH, mode: 0 };
}

function describe({ before, found }: Difference): string {
  if (!found) return 'was removed';
  if (!wasThere(before)) return found.kind === 'link' ? 'was made, as a link' : 'was made';
  if (found.kind === 'link' && !before.hash.startsWith('link:')) return 'was replaced by a link';
  if (found.kind === 'folder' || before.hash === FOLDER_HASH) return `was replaced by a ${found.kind}`;
  if (found.kind === 'other') return 'was replaced by something that is no file';
  if (found.hash !== before.hash) return 'was changed';
  return (found.mode & 0o100) === 0 ? 'was made unable to run' : 'was made to run';
}
