import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunProject } from '../../../support/run-project.ts';
import { file, projectOf, run } from './file-features.ts';

const LIST = '.claude/progress/feature-list.json';

function writeList(project: RunProject, text: string): void {
  mkdirSync(dirname(project.path(LIST)), { recursive: true });
  writeFileSync(project.path(LIST), text);
}

describe('the feature list of a run', () => {
  it('keeps what a person wrote in it', async () => {
    const project = projectOf([file('F1')]);
    writeList(
      project,
      JSON.stringify({ team: 'blue', features: [{ id: 'F1', notes: 'mine', owner: 'Ada' }] }),
    );
    const { json, stderr } = await run(project);
    expect(json.done, stderr).toMatchObject([{ feature: 'F1' }]);
    expect(JSON.parse(readFileSync(project.path(LIST), 'utf8'))).toMatchObject({
      team: 'blue',
      features: [{ id: 'F1', notes: 'mine', owner: 'Ada', status: 'completed', tested: true }],
    });
  });

  it('does not stop the run if a person’s file is in its way', async () => {
    const project = projectOf([file('F1')]);
    writeFileSync(project.path('.claude'), 'a person’s own file\n');
    const { json, stderr } = await run(project);
    expect(json.done, stderr).toMatchObject([{ feature: 'F1' }]);
    expect(readFileSync(project.path('.claude'), 'utf8')).toBe('a person’s own file\n');
    expect(stderr).toContain('session-state.json');
  });
});
