import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { APPROVAL, BuildProject, HONEST_PLAYER, LIGHT_FILES } from '../../support/build-project.ts';
import { buildWorker } from '../../support/worker.ts';

const TAP = fileURLToPath(new URL('../../../src/verification/runners/tap', import.meta.url));
const WORKER = fileURLToPath(new URL('kill-worker.ts', import.meta.url));
/** How often a build of one turn writes to the ledger; the last test sees that the loop leaves none out. */
const WRITES = 16;

let worker = '';
const projects: BuildProject[] = [];
beforeAll(async () => {
  worker = await buildWorker(WORKER);
  // What is loaded into test runners is looked for beside the program.
  const tap = join(dirname(worker), 'tap');
  if (!existsSync(tap)) symlinkSync(TAP, tap);
});
afterAll(() => {
  for (const project of projects) project.cleanup();
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

/** A Player whose work differs in each turn, so that no turn can be taken for another. */
const scenario = {
  turns: [1, 2, 3, 4].map((turn) => ({
    player: {
      ...HONEST_PLAYER,
      write: { ...HONEST_PLAYER.write, 'src/turn.js': `export const turn = ${turn};\n` },
      report: { ...HONEST_PLAYER.report, summary: `What turn ${turn} did` },
    },
    coach: { verdict: APPROVAL },
  })),
};

function newProject(): BuildProject {
  const project = new BuildProject(LIGHT_FILES);
  projects.push(project);
  return project;
}

interface Judged {
  verification: string;
  tree: string;
}

/** What must hold of the record, however often the build was cut off. */
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
    // Who was judged has been judged once, on the tree that is on its ref.
    expect(of(turn_number, 'judged')).toHaveLength(coach_decision === null ? 0 : 1);
    if (coach_decision === null) continue;
    const { verification, tree } = quality_gate_results as unknown as Judged;
    const commit = String((of(turn_number, 'committed')[0]?.data as JsonObject).commit);
    expect(project.git('rev-parse', `refs/guardkit/TASK-001/TASK-001/T${turn_number}`)).toBe(commit);
    const found = entries.filter(({ kind, body }) => kind === 'verification_recorded' && body.id === verification);
    expect(found.map(({ body }) => body.tree)).toEqual([tree]);
    expect(project.treeOf(commit)).toBe(tree);
    const [own] = found;
    const evidence = (own?.body.gates as { gate: string; evidence: string[] }[]).flatMap((gate) =>
      gate.gate === 'tests' ? gate.evidence : [],
    );
    for (const id of evidence) {
      const run = entries.find(({ kind, body }) => kind === 'evidence_recorded' && body.id === id);
      expect(run?.body.tree).toBe(tree);
    }
  }
  expect(entries.filter(({ kind }) => kind === 'build_began')).toHaveLength(1);
}

describe('a build that is killed', () => {
  const moments = Array.from({ length: WRITES }, (_, index) => [`before:${index + 1}`, `after:${index + 1}`]).flat();

  it.concurrent.each(moments)('goes on as if nothing had been, killed %s', async (moment) => {
    const project = newProject();
    project.workInProgress();
    const person = project.checkout();
    const args = project.buildArguments(scenario);
    const killed = await run(project, args, { KILL_AT: moment });
    expect(killed.signal, killed.stderr).toBe('SIGKILL');
    const began = project.entries().some(({ kind }) => kind === 'build_began');
    const judgedBefore = project.recordedTurns().filter(({ coach_decision }) => coach_decision !== null);
    const resumed = await run(project, [...args, ...(began ? ['--resume'] : [])]);
    expect(resumed.code, resumed.stderr).toBe(0);
    expectSound(project);
    const turns = project.recordedTurns();
    expect(turns.filter(({ coach_decision }) => coach_decision === 'approved')).toHaveLength(1);
    expect(turns).toEqual(expect.arrayContaining(judgedBefore));
    // What the Player wrote is on a ref, whatever turn it was.
    const tip = project.git('rev-parse', 'guardkit/TASK-001');
    expect(project.git('show', `${tip}:src/sub.js`)).toContain('sub');
    expect(project.checkout()).toEqual(person);
    expect(leftovers(project)).toEqual([]);
  });

  it('was killed at every entry that a build of one turn writes', async () => {
    const project = newProject();
    const ended = await run(project, project.buildArguments(scenario));
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain(`written ${WRITES} times`);
  });
});
