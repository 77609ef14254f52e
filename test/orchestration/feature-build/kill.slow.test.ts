import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type BuildProject,
  buildProjects,
  DOCS_FILES,
  docsTurn,
  HONEST_TURN,
  LIGHT_FILES,
} from '../../support/build-project.ts';
import { buildCli } from '../../support/cli-worker.ts';
import { longSample } from '../../support/thorough.ts';

/** How often a build of one turn writes to the ledger; the last test sees that the loop leaves none out. */
const WRITES = 16;
const AFTER = ['began', 'planned', 'played', 'turn_recorded', 'verified', 'build_ended'];

let worker = '';
const newProject = buildProjects(DOCS_FILES);
beforeAll(async () => {
  worker = await buildCli();
});

/** In a process of its own, which may be killed. */
function run(
  project: BuildProject,
  args: readonly string[],
  env: Record<string, string> = {},
  onError: (text: string, kill: () => void) => void = () => {},
): Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [worker, ...args], {
    cwd: project.path(),
    env: { ...project.sandbox.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
    onError(output.stderr, () => child.kill('SIGKILL'));
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...output }));
  });
}

/** Processes that were started for this project and live on. */
function leftovers(project: BuildProject): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`).startsWith(project.sandbox.folder) ||
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(project.sandbox.folder)
        );
      } catch {
        // It has ended meanwhile, or is another user's.
        return false;
      }
    });
}

/** A Player whose work differs in each turn, so that turns cannot be confused. */
const scenario = { turns: ['one', 'two', 'three'].map(docsTurn) };

interface Judged {
  verification: string;
  tree: string;
}

/** Invariants of the record, however often the build was cut off. */
function expectSound(project: BuildProject): void {
  const entries = project.entries();
  const turns = project.recordedTurns();
  const steps = entries.filter(({ kind }) => kind === 'turn_step').map(({ body }) => body);
  const of = (turn: number, step: string) =>
    steps.filter((body) => body.turn_number === turn && body.step === step);
  expect(turns.map(({ turn_number }) => turn_number)).toEqual(turns.map((_, index) => index + 1));
  for (const { turn_number, completed_at, coach_decision, quality_gate_results } of turns) {
    expect(completed_at).not.toBeNull();
    expect(of(turn_number, 'began')).toHaveLength(1);
    expect(of(turn_number, 'played').length).toBeLessThanOrEqual(1);
    expect(of(turn_number, 'committed').length).toBeLessThanOrEqual(1);
    // A judged turn was judged once, on the tree of its ref.
    expect(of(turn_number, 'judged')).toHaveLength(coach_decision === null ? 0 : 1);
    if (coach_decision === null) continue;
    const { verification, tree } = quality_gate_results as unknown as Judged;
    const [committed] = of(turn_number, 'committed').map(({ data }) => data as { commit: string });
    const commit = committed?.commit ?? '';
    expect(project.git('rev-parse', `refs/guardkit/TASK-001/TASK-001/T${turn_number}`)).toBe(commit);
    const found = entries.filter(
      ({ kind, body }) => kind === 'verification_recorded' && body.id === verification,
    );
    expect(found.map(({ body }) => body.tree)).toEqual([tree]);
    expect(project.treeOf(commit)).toBe(tree);
    const [own] = found;
    const gates = (own?.body.gates ?? []) as { gate: string; evidence: string[] }[];
    const evidence = gates.flatMap((gate) => (['tests', 'checks'].includes(gate.gate) ? gate.evidence : []));
    expect(evidence).toHaveLength(1);
    const run = entries.find(({ kind, body }) => kind === 'evidence_recorded' && body.id === evidence[0]);
    expect(run?.body.tree).toBe(tree);
  }
  expect(entries.filter(({ kind }) => kind === 'build_began')).toHaveLength(1);
}

describe('a build that is killed [BUILD-2][BUILD-3]', () => {
  // Right before each entry; and right after those that an agent, git or a gate follows, and after the last. After the
  // others nothing happens until the next.
  const moments = [
    ...Array.from({ length: WRITES }, (_, index) => `before:${index + 1}`),
    ...AFTER.map((name) => `after:${name}`),
  ];

  it.concurrent.each(longSample(3, moments))('goes on as if nothing had been, killed %s', async (moment) => {
    const project = newProject();
    const args = project.buildArguments(scenario);
    const killed = await run(project, args, { KILL_AT: moment });
    expect(killed.signal, killed.stderr).toBe('SIGKILL');
    const began = project.entries().some(({ kind }) => kind === 'build_began');
    const judgedBefore = project.recordedTurns().filter(({ coach_decision }) => coach_decision !== null);
    const resumed = await project.guardkit([...args, ...(began ? ['--resume'] : [])]);
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expectSound(project);
    const turns = project.recordedTurns();
    expect(turns.filter(({ coach_decision }) => coach_decision === 'approved')).toHaveLength(1);
    expect(turns).toEqual(expect.arrayContaining(judgedBefore));
    // The Player's work is on a ref, in some turn.
    const tip = project.git('rev-parse', 'guardkit/TASK-001');
    expect(project.git('show', `${tip}:docs/guide.md`)).toMatch(/one|two/);
    expect(leftovers(project)).toEqual([]);
  });

  it('while its gates run leaves no process, and resumes the same turn', async () => {
    const project = newProject(LIGHT_FILES);
    project.workInProgress();
    const person = project.checkout();
    const args = project.buildArguments([HONEST_TURN], ['--json-events']);
    const killed = await run(project, args, {}, (text, kill) => {
      if (/"type":"run_began","check":"tests","on":"candidate"/.test(text)) kill();
    });
    expect(killed.signal, killed.stderr).toBe('SIGKILL');
    // The system ends the processes in the sandbox; it takes a moment.
    await vi.waitFor(() => expect(leftovers(project)).toEqual([]), { timeout: 10_000 });
    const resumed = await project.guardkit([...args, '--resume']);
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expectSound(project);
    expect(project.recordedTurns()).toHaveLength(1);
    expect(project.checkout()).toEqual(person);
  });

  it('was killed at every entry that a build of one turn writes', async () => {
    const project = newProject();
    const ended = await run(project, project.buildArguments(scenario));
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain(`written ${WRITES} times`);
  });
});
