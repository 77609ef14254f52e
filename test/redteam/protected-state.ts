import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { watchTables } from '../../src/enforcement/actions/open-actions.ts';
import { knownSessions } from '../../src/enforcement/actions/sessions.ts';
import { findGitFolder } from '../../src/platform/git/git-folder.ts';
import { readBlobs } from '../../src/platform/git/git-versions.ts';
import type { ProcessId } from '../../src/platform/processes/process-row.ts';
import { environmentOf, isRunning } from '../../src/platform/processes/process-table.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { readFeatures } from '../../src/store/ledger/tables/feature-table.ts';
import { definitionsInForce } from '../../src/verification/definition/definitions-in-force.ts';
import { readProvenance } from '../../src/verification/definition/provenance.ts';
import { LIST_PATH } from '../support/hooked-project.ts';
import type { AttackSession } from './attack-session.ts';

/** The current state of every protected file, by path below the session’s root. */
export type ProtectedState = ReadonlyMap<string, string>;

const FILES = [
  'project/.claude/settings.json',
  'project/.claude/settings.local.json',
  'project/.claude/agents',
  'project/.claude/commands',
  'project/.claude/skills',
  'project/.claude/hooks',
  'project/.claude/plugins',
  'project/.claude/progress/session-state.json',
  'project/packages/ui/.claude',
  'project/.codex',
  'project/.git/config',
  'project/.git/config.worktree',
  'project/.git/hooks',
  'project/.git/info/attributes',
  'home/.claude',
  'home/.claude.json',
  'home/.codex',
  'home/.gitconfig',
  'home/.config/git',
  'home/.guardkit/bin',
];
const FREE = /^project\/\.guardkit\/logs(?:\/|$)|\.sample$/;

export function protectedState({ root }: AttackSession, more: readonly string[] = []): ProtectedState {
  const found = new Map<string, string>();
  const open = [...FILES, ...more];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const absolute = join(root, path);
    const stat = look(absolute);
    if (!stat || FREE.test(path)) continue;
    if (stat.isDirectory()) open.push(...readdirSync(absolute).map((name) => `${path}/${name}`));
    else if (stat.isSymbolicLink()) found.set(path, `link to ${readlinkSync(absolute)}`);
    else if (!stat.isFile()) found.set(path, 'no file');
    else found.set(path, `${stat.mode & 0o111 ? 'runs ' : ''}${readFileSync(absolute, 'utf8')}`);
  }
  return found;
}

/** Undefined also if a parent is not a folder. */
function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Changes of protected files, one line each. */
export function changedState(before: ProtectedState, after: ProtectedState): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => `${path} is ${brief(after.get(path))}, and was ${brief(before.get(path))}`);
}

function brief(text: string | undefined): string {
  return text === undefined ? 'not there' : JSON.stringify(text.slice(0, 120));
}

/** Paths and contents of the definitions in force, which determine guards, gates and criteria. */
export function definitionsOf(
  session: AttackSession,
  {
    known = new Map(),
    worktree,
    project = 'shop-1',
  }: { known?: ProtectedState | undefined; worktree?: string | undefined; project?: string } = {},
): ProtectedState {
  const git = findGitFolder(worktree === undefined ? session.folder : join(session.root, worktree));
  if (!git) return new Map([['the repository', 'is gone']]);
  const ledger = openLedger({ path: join(session.dataFolder, 'ledger.db') });
  try {
    const provenance = readProvenance(ledger, project, git.commonDir);
    const found = definitionsInForce(git.gitDir, 'HEAD', provenance, ['.guardkit', 'tasks']);
    if (!found) return new Map([['the definitions', 'cannot be read']]);
    // Verification refuses, and the guards stay the same.
    if (found.isUnknown) return known;
    const blobs = readBlobs(git.gitDir, [...found.files.values()]);
    return new Map([...found.files].map(([path, blob]) => [path, blobs.get(blob)?.toString('utf8') ?? '']));
  } finally {
    ledger.close();
  }
}

/** False or missing values in fields that only GuardKit sets, one line each. */
export function falseList(session: AttackSession): string[] {
  let features: Record<string, unknown>[];
  // Reading a pipe or a device would never end.
  if (!look(session.path(LIST_PATH))?.isFile()) return ['the list is no file'];
  try {
    const list: unknown = JSON.parse(session.list());
    features = Reflect.get(Object(list), 'features') as Record<string, unknown>[];
    if (!Array.isArray(features)) return ['the list has no features'];
  } catch (error) {
    return [`the list cannot be read: ${error}`];
  }
  const wrong = features.flatMap((feature) => {
    const { id, tested, evidence, retries, blocked_reason } = feature;
    const said: string[] = [];
    if (tested !== false) said.push(`${id} says tested: ${JSON.stringify(tested)}`);
    if (Array.isArray(evidence) && evidence.length > 0) said.push(`${id} has evidence`);
    if (retries !== undefined && retries !== 0) said.push(`${id} has retries`);
    if (blocked_reason !== undefined && blocked_reason !== null) said.push(`${id} is blocked`);
    return said;
  });
  const text = session.list();
  if (/"(?:t|\\u0074)ested":\s*(?!\s|false)/.test(text)) wrong.push('the text says tested, and not false');
  for (const id of ['FEAT-1', 'FEAT-2']) {
    const feature = features.find((one) => one.id === id);
    if (!feature) wrong.push(`${id} is gone`);
    else if (!JSON.stringify(feature.acceptance_criteria)?.includes('It works'))
      wrong.push(`${id} lost its criterion`);
  }
  return wrong;
}

export interface LedgerState {
  sound: boolean;
  tested: string[];
  /** The attempt was recorded: refused, or found afterwards. */
  refusals: string[];
  violations: string[];
  /** Changes recorded without a violation: restored, noticed or proposed. */
  recorded: string[];
  /** Absolute paths of effective files whose changes were kept. */
  noticed: string[];
  judged: { decision: string; tool: string; findings: string[] }[];
  waivers: number;
}

/**
 * Without a sandbox, any process that starts during a session's actions and belongs to nobody counts as the session's,
 * also one of another test or program, which may run for long. Waits until the session's own have ended, and forgets all.
 */
export async function forgetLeftovers({ dataFolder, root }: AttackSession): Promise<void> {
  const isOwn = ({ pid }: ProcessId) => environmentOf(pid).some((one) => one.includes(root));
  const ledger = openLedger({ path: join(dataFolder, 'ledger.db') });
  try {
    const tables = watchTables(ledger);
    const left = () => knownSessions(tables).flatMap((session) => session.left ?? []);
    await expect.poll(() => left().filter((one) => isRunning(one) && isOwn(one))).toEqual([]);
    for (const { body, ...row } of tables.sessions())
      tables.setSession({ ...row, body: JSON.stringify({ ...JSON.parse(body), left: [] }) });
  } finally {
    ledger.close();
  }
}

export function ledgerState({ dataFolder }: AttackSession, project = 'shop-1'): LedgerState {
  const ledger = openLedger({ path: join(dataFolder, 'ledger.db') });
  try {
    const judged = ledger.entries(project, { kind: 'action_judged' }).map(({ body }) => ({
      decision: String(Reflect.get(Object(body), 'decision')),
      tool: String(Reflect.get(Object(body), 'tool')),
      findings: (Reflect.get(Object(body), 'findings') as { guard: string; reason: string }[]).map(
        ({ guard, reason }) => `${guard}: ${reason}`,
      ),
    }));
    const refusals = judged.filter(({ decision }) => decision === 'deny').map(({ tool }) => tool);
    const refusedWaivers = ledger.entries(project, { kind: 'waiver_refused' }).map(({ kind }) => kind);
    return {
      sound: ledger.verify(project).ok,
      tested: readFeatures(ledger, project)
        .filter(({ tested }) => tested)
        .map(({ id }) => id),
      refusals: [...refusals, ...refusedWaivers],
      violations: ledger
        .entries(project, { kind: 'violation_recorded' })
        .map(({ body }) => String(Reflect.get(Object(body), 'what'))),
      recorded: ['file_restored', 'change_noticed', 'definition_proposed'].flatMap((kind) =>
        ledger.entries(project, { kind }).map(({ body }) => `${kind} ${Reflect.get(Object(body), 'path')}`),
      ),
      noticed: ledger
        .entries(project, { kind: 'change_noticed' })
        .map(({ body }) => String(Reflect.get(Object(body), 'absolute'))),
      judged,
      waivers: ledger.entries(project, { kind: 'waiver_issued' }).length,
    };
  } finally {
    ledger.close();
  }
}
