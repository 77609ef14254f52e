import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rows } from '../../support/thorough.ts';
import { DrivenSession, startAsked, told } from './driven-session.ts';

async function remove(project: DrivenSession, id: string): Promise<void> {
  project.typed = 'y\n';
  const { exitCode, text } = await project.command('person', 'feature', 'edit', id, '--remove');
  expect(exitCode, text).toBe(0);
}

/** Its work is removed from the files and kept in git. */
function expectSetAside(project: DrivenSession): void {
  expect(existsSync(project.path('src/pay.js'))).toBe(false);
  expect(project.read('src/cart.js')).toBe('export const cart = [];\n');
  const refs = project.git('for-each-ref', '--format=%(refname)', 'refs/guardkit').trim().split('\n');
  expect(refs).toEqual([expect.stringMatching(/\/removed\/FEAT-1$/)]);
  expect(project.git('show', `${refs[0]}:src/pay.js`)).not.toBe('');
}

const NEXT = { agent: 'coding-agent', feature: 'FEAT-2' };

describe('if a person removes the current feature from the list, a session', () => {
  it('continues with the next one and ignores the agent’s claim', async () => {
    const project = new DrivenSession();
    await project.order();
    const said = 'IMPLEMENTATION COMPLETE - Feature FEAT-1 ready for testing';
    await project.agent('coding-agent', said, async (by) => {
      const file = { file_path: project.path('src/pay.js'), content: 'export const pay = 1;\n' };
      await project.act('Write', file, by);
      await remove(project, 'FEAT-1');
    });
    expect(project.state()).toMatchObject({ state: 'coding', feature: 'FEAT-2', agent: 'coding' });
    expect(startAsked(await project.handedBack('coding-agent'))).toEqual(NEXT);
    expect(project.entries('attempt_failed')).toEqual([]);
    expect(project.entries('violation_recorded')).toEqual([]);
    expectSetAside(project);
  });

  it.each(
    rows(1, [
      ['waits for its agent, and does not count that agent’s claim for the next one', 'stop'],
      ['takes an agent that broke off meanwhile for no failure of the next one', 'crash'],
    ]),
  )('%s', async (_name, end) => {
    const project = new DrivenSession();
    await project.order();
    await project.spawn('coding-agent');
    const by = { agent_id: 'a1', agent_type: 'coding-agent' };
    await project.hook({ hook_event_name: 'SubagentStart', ...by });
    await project.act('Write', { file_path: project.path('src/pay.js'), content: 'half\n' }, by);
    await remove(project, 'FEAT-1');
    // The session learns of it while the agent is still running.
    await project.prompt('Go on without that one.');
    expect(startAsked(told(await project.prompt('/guardkit-run')))).toBeUndefined();
    expect(project.kept().details.at_work).toMatchObject({ id: 'a1', agent: 'coding' });
    await project.act('Write', { file_path: project.path('src/cart.js'), content: 'half\n' }, by);
    const said = 'IMPLEMENTATION COMPLETE - Feature FEAT-1 ready for testing';
    const last =
      end === 'stop'
        ? await project.hook({ hook_event_name: 'SubagentStop', ...by, last_assistant_message: said })
        : await project.prompt('<task-notification>\n<task-id>a1</task-id>\n</task-notification>');
    expect(project.state()).toMatchObject({ state: 'coding', feature: 'FEAT-2', agent: 'coding' });
    expectSetAside(project);
    expect(last.json.systemMessage).toMatch(/FEAT-1.*\b2 files/);
    expect(startAsked(await project.handedBack('coding-agent'))).toEqual(NEXT);
    expect(project.entries('attempt_failed')).toEqual([]);
    // A repeated report finds no running agent.
    await project.hook({ hook_event_name: 'SubagentStop', ...by, last_assistant_message: said });
    expect(project.state()).toMatchObject({ state: 'coding', feature: 'FEAT-2' });
  });

  it('waits for its tester before the next one starts', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.code('FEAT-1', 'pay');
    await project.spawn('tester-agent');
    const by = { agent_id: 't1', agent_type: 'tester-agent' };
    await project.hook({ hook_event_name: 'SubagentStart', ...by });
    await remove(project, 'FEAT-1');
    await project.prompt('Go on without that one.');
    expect(startAsked(told(await project.prompt('/guardkit-run')))).toBeUndefined();
    expect(project.kept().details.at_work).toMatchObject({ id: 't1', agent: 'tester' });
    const early = await project.spawn('coding-agent');
    expect(early.json.hookSpecificOutput?.permissionDecision).toBe('deny');
    await project.hook({ hook_event_name: 'SubagentStop', ...by, last_assistant_message: 'PASSED: fine' });
    expectSetAside(project);
    expect(await project.code('FEAT-2', 'pay')).toContain('Feature FEAT-2');
    expect(project.state()).toMatchObject({ state: 'testing', feature: 'FEAT-2' });
  });

  it('reports it when the agent tries to stop; without another feature it ends', async () => {
    const project = new DrivenSession();
    await project.order();
    await remove(project, 'FEAT-1');
    const kept = (await project.stop()).json;
    expect(kept.decision).toBe('block');
    expect(startAsked(kept.reason ?? '')).toEqual(NEXT);
    await remove(project, 'FEAT-2');
    expect((await project.stop()).json.reason).toContain(project.kept().session);
    expect(project.kept()).toMatchObject({ phase: 'ended', end: 'no_features' });
    expect((await project.stop()).json).toEqual({});
  });

  it('keeps files that they changed during a pause', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.code('FEAT-1', 'pay');
    await project.prompt('Let me look at that.');
    project.write('src/own.js', 'of a person\n');
    project.write('test/pay.test.js', 'of a person\n');
    await project.prompt('/guardkit-run');
    await remove(project, 'FEAT-1');
    await project.stop();
    expect(existsSync(project.path('src/pay.js'))).toBe(false);
    expect(project.read('src/own.js')).toBe('of a person\n');
    expect(project.read('test/pay.test.js')).toBe('of a person\n');
  });

  it('that a person paused stays paused, and resumes with the next one', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.prompt('Wait a moment.');
    await remove(project, 'FEAT-1');
    const { exitCode, text } = await project.command('person', 'session', 'resume');
    expect(exitCode, text).toBe(0);
    expect(project.kept()).toMatchObject({ phase: 'coding', feature: 'FEAT-2' });
  });
});
