import { describe, expect, it } from 'vitest';
import { DrivenSession, told } from '../../../orchestration/in-agent/driven-session.ts';
import { further } from '../../../support/thorough.ts';

async function driven(): Promise<DrivenSession> {
  const project = new DrivenSession();
  await project.order();
  return project;
}

const json = async (project: DrivenSession) =>
  JSON.parse((await project.command('agent', 'session', 'status', '--json')).text);

describe('guardkit session', () => {
  it('says that no session is open, and where one comes from', async () => {
    const project = new DrivenSession();
    const { exitCode, text } = await project.command('person', 'session', 'status', '--json');
    expect([exitCode, JSON.parse(text)]).toMatchObject([1, { open: [] }]);
    const pause = await project.command('person', 'session', 'pause');
    expect([pause.exitCode, pause.text]).toEqual([2, expect.stringContaining('/guardkit-run')]);
  });

  further('shows where a session stands, to people and to programs', async () => {
    const project = await driven();
    const { exitCode, text } = await project.command('person', 'session', 'status');
    expect(exitCode).toBe(0);
    expect(text).toMatch(/coding.*FEAT-1.*\b1\b/);
    expect(await json(project)).toMatchObject({
      open: [
        {
          state: 'coding',
          feature: 'FEAT-1',
          agent: 'coding',
          driven_by: 'hooks',
          agent_session: project.session,
          agent_open: true,
          next_action: expect.stringContaining('FEAT-1'),
        },
      ],
    });
  });

  further('rests and goes on at a person’s word, and the guards of a driven session with it', async () => {
    const project = await driven();
    const edit = () =>
      project.act('Write', { file_path: project.path('src/x.js'), content: `// ${Math.random()}\n` });
    const order = async (word: string) =>
      JSON.parse((await project.command('person', 'session', word, '--json')).text);
    expect(await order('pause')).toMatchObject({ changed: true, session_id: expect.stringMatching(/^SES-/) });
    expect((await edit()).refused).toBe(false);
    expect((await project.stop()).json.decision).toBeUndefined();
    expect(await order('pause')).toMatchObject({ changed: false });
    expect(await order('resume')).toMatchObject({ changed: true });
    expect((await edit()).refused).toBe(true);
    expect((await project.stop()).json.decision).toBe('block');
  });

  it('is not steered by an agent, whose try is on record', async () => {
    const project = await driven();
    for (const order of ['pause', 'abandon']) {
      const { exitCode, text } = await project.command('agent', 'session', order, '--json');
      expect([exitCode, text]).toEqual([1, expect.stringContaining('"person.needed"')]);
    }
    expect(project.state().state).toBe('coding');
    expect(project.entries('violation_recorded')).toHaveLength(2);
  });

  further('ends at a person’s word, with the features as they are', async () => {
    const project = await driven();
    const tried = await project.command('person', 'session', 'abandon', '--dry-run', '--json');
    expect(JSON.parse(tried.text)).toMatchObject({ changed: false, dry_run: true });
    const ended = await project.command('person', 'session', 'abandon', '--json');
    expect(JSON.parse(ended.text)).toMatchObject({ changed: true, end: 'abandoned' });
    expect(project.list().features.map(({ status }) => status)).toEqual(['in_progress', 'pending']);
    const stopped = await project.stop();
    expect(stopped.json.reason).not.toBe('');
    expect((await project.stop()).json).toEqual({});
    expect(await json(project)).toMatchObject({ open: [], last_ended: { end: 'abandoned' } });
  });

  further('is started by a person for the one agent here, or by an agent for itself', async () => {
    const project = new DrivenSession();
    const nobody = await project.command('person', 'session', 'start', '--json');
    expect([nobody.exitCode, nobody.text]).toEqual([2, expect.stringContaining('"session.no-agent"')]);
    await project.begin();
    const started = await project.command('agent', 'session', 'start', '--max-features', '1');
    expect(started.text).toMatch(/^next: .*`guardkit:coding-agent`.*FEAT-1/m);
    expect((await project.stop()).json.decision).toBe('block');

    const second = new DrivenSession();
    await second.begin();
    const tried = await second.command('person', 'session', 'start', '--dry-run', '--json');
    expect(JSON.parse(tried.text)).toMatchObject({ started: false, dry_run: true });
    const { text } = await second.command('person', 'session', 'start');
    expect(text).toContain('/guardkit-run');
    expect(told(await second.prompt('/guardkit-run'))).toMatch(/^next: .*`coding-agent`.*FEAT-1/m);
  });

  further('is not started for an agent by another one', async () => {
    const project = new DrivenSession();
    await project.begin();
    const other = project.session;
    project.session = 'session-2';
    const start = ['session', 'start', '--agent-session', other];
    const { exitCode, text } = await project.command('agent', ...start, '--json');
    expect([exitCode, text]).toEqual([2, expect.stringContaining('"session.no-agent"')]);
  });
});
