import { afterAll, describe, expect, it } from 'vitest';
import { BuildProject, HONEST_TURN } from '../../support/build-project.ts';

describe('x', () => {
  it('a', async () => {
    const project = new BuildProject();
    const t = Date.now();
    const r = await project.build([HONEST_TURN]);
    console.log(Date.now() - t, JSON.stringify(r.json, null, 1), r.stderr);
    console.log(project.entries().map(({ kind, body }) => `${kind} ${body.step ?? body.check ?? ''}`).join('\n'));
    console.log(project.refs(), project.git('status', '--porcelain'));
    project.cleanup();
  });
});
