import { readFileSync } from 'node:fs';
import { describe, expect, vi } from 'vitest';
import type { RunProject } from '../../../support/run-project.ts';
import { further } from '../../../support/thorough.ts';
import { empty, file, projectOf, run } from './file-features.ts';

const LIST = '.claude/progress/feature-list.json';

interface Listed {
  id: string;
  status: string;
  tested: boolean;
  evidence: string[];
  retries: number;
}

function listOf(project: RunProject): Listed[] {
  return JSON.parse(readFileSync(project.path(LIST), 'utf8')).features;
}

describe('the feature list of a run', () => {
  further('is created, follows the run and shows what was completed and blocked', async () => {
    const project = projectOf([file('F1'), file('F2', [], [empty('F2')])]);
    const running = run(project);
    await vi.waitFor(
      () => expect(listOf(project).find(({ id }) => id === 'F1')?.status).toBe('in_progress'),
      { timeout: 60_000, interval: 20 },
    );
    const { json } = await running;
    expect(json).toMatchObject({ done: [{ feature: 'F1' }], blocked: [{ feature: 'F2' }] });
    expect(listOf(project)).toMatchObject([
      {
        id: 'F1',
        status: 'completed',
        tested: true,
        evidence: expect.arrayContaining([expect.stringMatching(/^VER-/)]),
      },
      { id: 'F2', status: 'blocked', tested: false, evidence: [], retries: 2 },
    ]);
    // Nothing in it counts as somebody else's change.
    expect(project.entries().filter(({ kind }) => kind === 'violation_recorded')).toEqual([]);
  });
});
