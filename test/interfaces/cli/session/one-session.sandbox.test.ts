import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listContext } from '../../../../src/enforcement/feature-list/known-list.ts';
import { NO_LIMITS } from '../../../../src/orchestration/session/session.ts';
import { startSession } from '../../../../src/orchestration/session-record/apply-event.ts';
import { openLedger } from '../../../../src/store/ledger/open-ledger.ts';
import { DrivenSession, told } from '../../../orchestration/in-agent/driven-session.ts';
import { further } from '../../../support/thorough.ts';

const SCENARIO = 'turns:\n  - player: { report: {} }\n';

further(
  'guardkit run is refused while an agent drives a session here, and so is a look at what it would do',
  async () => {
    const project = new DrivenSession();
    await project.order();
    project.write('../scenario.yaml', SCENARIO);
    const run = ['run', '--driver', 'script', '--scenario', project.path('../scenario.yaml')];
    for (const args of [run, [...run, '--dry-run']]) {
      const { exitCode, text } = await project.command('person', ...args);
      expect([exitCode, text]).toEqual([1, expect.stringMatching(/SES-\w+/)]);
      expect(text).toContain('guardkit session abandon');
    }
    expect(project.state()).toMatchObject({ state: 'coding', feature: 'FEAT-1' });
    expect(project.git('branch', '--list', 'guardkit/*')).toBe('');
  },
);

it('a session inside an agent’s program is refused while guardkit run has one open', async () => {
  const project = new DrivenSession();
  await project.begin();
  const ledger = openLedger({ path: join(project.dataFolder, 'ledger.db') });
  const list = listContext(ledger, 'shop-1', project.folder, project.dataFolder);
  startSession(
    { list, changedBy: { inWindow: false } },
    {
      id: '20300131-0a1b2c',
      at: new Date().toISOString(),
      driven_by: 'run',
      limits: NO_LIMITS,
      agent_session: null,
      details: {},
    },
  );
  ledger.close();
  const answer = await project.prompt('/guardkit-run');
  expect(told(answer)).toMatch(/`guardkit run`.*20300131-0a1b2c/);
  expect((await project.stop()).json.decision).toBeUndefined();
  const started = await project.command('person', 'session', 'start');
  expect([started.exitCode, started.text]).toEqual([1, expect.stringContaining('20300131-0a1b2c')]);
  const resumed = await project.command('person', 'session', 'resume');
  expect([resumed.exitCode, resumed.text]).toEqual([
    expect.any(Number),
    expect.stringContaining('guardkit run'),
  ]);
  expect(resumed.exitCode).not.toBe(0);
});
