import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/domain/json/json.ts';
import type { RunProject } from '../support/run-project.ts';
import type { ExpectedEnd } from '../support/twelve-features.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunJson {
  session: string;
  reason: string;
  done: { feature: string; commit: string }[];
  blocked: { feature: string; attempts: { attempt: number; why: string }[]; question: string }[];
  reopened: { feature: string; why: string }[];
  left: { feature: string; why: string }[];
  cost_usd: number;
  branch: string;
  base: string;
  tip: string;
}

/** A seeded random generator. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Runs in a separate process that is killed after a time, at a ledger entry, or not at all. */
export function start(
  worker: string,
  project: RunProject,
  { at, afterMs }: { at?: string; afterMs?: number } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [worker, ...project.runArguments()], {
    cwd: project.path(),
    env: { ...project.sandbox.env, ...(at === undefined ? {} : { KILL_AT: at }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ended.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ended.stderr += text;
  });
  const timer = afterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), afterMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, ...ended });
    });
  });
}

/** Kills the run at random moments, within so many entries or so long from its start, then lets it finish. */
export async function runThroughKills(
  worker: string,
  project: RunProject,
  { seed, kills, entries = 40, ms = 3500 }: { seed: number; kills: number; entries?: number; ms?: number },
): Promise<{ json: RunJson; killed: number }> {
  const next = numbers(seed);
  let killed = 0;
  for (let count = 0; count < kills; count++) {
    // At a ledger entry, where record and effects can diverge, or anywhere.
    const moment =
      count % 2 === 0
        ? { at: `${next(2) === 0 ? 'before' : 'after'}:${1 + next(entries)}` }
        : { afterMs: 400 + next(ms) };
    const ended = await start(worker, project, moment);
    if (ended.signal !== 'SIGKILL') throw new Error(`it came to its end: ${ended.stdout}${ended.stderr}`);
    killed += 1;
  }
  const last = await start(worker, project);
  if (last.stdout === '') throw new Error(`no document was printed: ${last.stderr}`);
  return { json: JSON.parse(last.stdout) as RunJson, killed };
}

const ids = (items: readonly { feature: string }[]) => items.map(({ feature }) => feature).sort();

/** Exactly the expected features, however often it was killed. */
export function expectRightEnd(project: RunProject, json: RunJson, expected: ExpectedEnd): void {
  expect({
    done: ids(json.done),
    blocked: ids(json.blocked),
    reopened: ids(json.reopened),
    left: ids(json.left),
  }).toEqual(expected);
  expect(project.git('rev-parse', json.branch).trim()).toBe(json.tip);
  for (const { feature, commit } of json.done)
    expect(project.git('merge-base', '--is-ancestor', commit, json.tip), feature).toBe('');
  for (const { feature, attempts, question } of json.blocked) {
    expect(attempts, feature).toHaveLength(2);
    expect(question).toContain(feature);
  }
}

/** Invariants of the ledger: at most two attempts, nothing tested without evidence, no lost entry. */
export function expectSoundLedger(project: RunProject): void {
  const entries = project.entries();
  const failed = new Map<string, number[]>();
  for (const { kind, body } of entries) {
    if (kind !== 'attempt_failed') continue;
    const { attempt } = body.failure as { attempt: number };
    const id = String(body.feature_id);
    failed.set(id, [...(failed.get(id) ?? []), attempt]);
  }
  for (const [id, attempts] of failed) expect([[1], [1, 2]], id).toContainEqual(attempts);
  const features = entries
    .filter(({ kind }) => kind === 'features_recorded')
    .flatMap(({ body }) => body.features);
  for (const one of features as { id: string; tested: boolean; evidence: string[] }[])
    if (one.tested) expect(one.evidence, one.id).not.toEqual([]);
  const began = entries.filter(
    ({ kind, body }) => kind === 'session_moved' && body.event === 'session_started',
  );
  expect(began).toHaveLength(1);
}

/** All files of the person, without GuardKit’s session state and feature list. */
export function expectPersonsOwn(project: RunProject, before: JsonObject): void {
  const { files, ...own } = project.checkout();
  const { files: filesBefore, ...ownBefore } = before;
  expect(own).toEqual(ownBefore);
  const {
    '.claude/progress/session-state.json': _state,
    '.claude/progress/feature-list.json': _list,
    ...kept
  } = files as JsonObject;
  expect(kept).toEqual(filesBefore);
}
