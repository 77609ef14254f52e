import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STOP_TIMEOUT, settingsText, withHooks } from '../../../src/enforcement/install/claude-settings.ts';
import { ownHookCommand } from '../../../src/enforcement/install/hook-launcher.ts';
import { further } from '../../support/thorough.ts';
import { DrivenSession, startAsked, told } from './driven-session.ts';

describe('a session inside an agent’s program', () => {
  it('does not exist until a person asks for it [SESSION-4]', async () => {
    const project = new DrivenSession();
    await project.begin();
    expect(told(await project.prompt('work through the features, please'))).toBe('');
    expect((await project.stop()).json.decision).toBeUndefined();
    expect(existsSync(project.path('.claude/progress/session-state.json'))).toBe(false);
  });

  it('tells the orchestrating agent which agent and feature to start', async () => {
    const project = new DrivenSession();
    const given = await project.order();
    expect(startAsked(given)).toEqual({ agent: 'coding-agent', feature: 'FEAT-1' });
    expect(project.state()).toMatchObject({ state: 'coding', feature: 'FEAT-1', agent: 'coding' });
    expect(project.kept()).toMatchObject({ attempt: 1, driven_by: 'hooks' });
  });

  it('lets only the coding agent change sources while it is driven', async () => {
    const project = new DrivenSession();
    await project.order();
    const file = { file_path: project.path('src/x.js'), content: 'export const x = 1;\n' };
    const direct = await project.act('Write', file);
    expect(direct.before.json.hookSpecificOutput?.permissionDecisionReason).toContain('[block-direct-edit]');
    expect((await project.act('Write', file, { agent_id: 'a', agent_type: 'coding-agent' })).refused).toBe(
      false,
    );
    await project.prompt('Write it yourself.');
    expect((await project.act('Write', { ...file, content: '' })).refused).toBe(false);
  });

  further('refuses agents out of their turn, a second one, and those that agents start', async () => {
    const project = new DrivenSession();
    await project.order();
    const decision = async (type: string, by = {}) =>
      (await project.spawn(type, by)).json.hookSpecificOutput?.permissionDecision;
    expect(await decision('tester-agent')).toBe('deny');
    expect(await decision('Explore')).toBeUndefined();
    expect(await decision('coding-agent')).toBeUndefined();
    const first = { agent_id: 'first', agent_type: 'coding-agent' };
    expect(told(await project.hook({ hook_event_name: 'SubagentStart', ...first }))).toContain(
      'IMPLEMENTATION COMPLETE - Feature FEAT-1',
    );
    expect(await decision('coding-agent')).toBe('deny');
    expect(await decision('tester-agent', first)).toBe('deny');
    expect(project.entries('action_judged').map((entry) => entry.decision)).toEqual(['deny', 'deny', 'deny']);
    // One that came up all the same is sent home, and its end is not the first one's.
    const second = { agent_id: 'second', agent_type: 'evil:coding-agent' };
    expect(told(await project.hook({ hook_event_name: 'SubagentStart', ...second }))).not.toContain(
      'IMPLEMENTATION COMPLETE',
    );
    expect(project.kept().details.at_work).toMatchObject({ id: 'first' });
    const said = { last_assistant_message: 'IMPLEMENTATION COMPLETE - Feature FEAT-1 ready for testing' };
    await project.hook({ hook_event_name: 'SubagentStop', ...second, stop_hook_active: true, ...said });
    expect(project.state().state).toBe('coding');
  });

  further(
    'keeps the agent running while there is work, and lets it stop after two reminders without progress',
    async () => {
      const project = new DrivenSession();
      await project.order();
      const first = await project.stop();
      expect(first.json.decision).toBe('block');
      expect(startAsked(first.json.reason ?? '')).toEqual({ agent: 'coding-agent', feature: 'FEAT-1' });
      expect((await project.stop({ stop_hook_active: true })).json.decision).toBe('block');
      const last = await project.stop({ stop_hook_active: true });
      expect(last.json.decision).toBeUndefined();
      expect(last.json.systemMessage).toContain(project.kept().session);
      expect(project.kept()).toMatchObject({ phase: 'paused', pause: 'no_progress' });
      const again = told(await project.prompt('/guardkit-run'));
      expect(startAsked(again)).toEqual({ agent: 'coding-agent', feature: 'FEAT-1' });
    },
  );

  further('lets it stop at once while an agent works in the background, and counts nothing', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.spawn('coding-agent');
    const by = { agent_id: 'a1', agent_type: 'coding-agent' };
    await project.hook({ hook_event_name: 'SubagentStart', ...by });
    const launched = await project.handedBack('coding-agent', {
      tool_response: { status: 'async_launched' },
    });
    expect(launched).not.toBe('');
    expect(startAsked(launched)).toBeUndefined();
    const background_tasks = [{ id: 'a1', type: 'subagent', status: 'running' }];
    for (let count = 0; count < 4; count++)
      expect((await project.stop({ background_tasks })).json.decision).toBeUndefined();
    expect(project.state().state).toBe('coding');
  });

  further('counts an agent that ended early as a failed attempt, however that is reported', async () => {
    const project = new DrivenSession();
    await project.order();
    const begin = async (id: string) => {
      await project.spawn('coding-agent');
      await project.hook({ hook_event_name: 'SubagentStart', agent_id: id, agent_type: 'coding-agent' });
    };
    await begin('a1');
    const failed = await project.handedBack('coding-agent', {
      hook_event_name: 'PostToolUseFailure',
      error: 'API Error: 529 overloaded',
    });
    expect(failed).toContain('API Error: 529 overloaded');
    expect(project.kept().failures).toMatchObject([{ attempt: 1, outcome: 'crashed' }]);
    await begin('a2');
    const notice =
      '<task-notification>\n<task-id>a2</task-id>\n<status>failed</status>\n</task-notification>';
    const given = told(await project.prompt(notice));
    expect(project.entries('attempt_failed')).toMatchObject([
      { feature_id: 'FEAT-1', failure: { attempt: 1, outcome: 'crashed' } },
      { feature_id: 'FEAT-1', failure: { attempt: 2, outcome: 'crashed' } },
    ]);
    expect(startAsked(given)).toEqual({ agent: 'coding-agent', feature: 'FEAT-2' });
    expect(project.list().features[0]).toMatchObject({ status: 'blocked', tested: false });
  });

  it('pauses at a person’s prompt, records the agent’s end meanwhile, and resumes on request [SESSION-4]', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.spawn('coding-agent');
    const by = { agent_id: 'a1', agent_type: 'coding-agent' };
    await project.hook({ hook_event_name: 'SubagentStart', ...by });
    const given = told(await project.prompt('What are you doing?'));
    expect(given).toContain('/guardkit-run');
    expect(project.kept()).toMatchObject({ phase: 'paused', pause: 'prompt' });
    expect((await project.stop()).json.decision).toBeUndefined();
    const said = { last_assistant_message: 'IMPLEMENTATION COMPLETE - Feature FEAT-1 ready for testing' };
    await project.hook({ hook_event_name: 'SubagentStop', ...by, stop_hook_active: true, ...said });
    expect(project.state().state).toBe('paused');
    const again = told(await project.prompt('/guardkit-run'));
    expect(startAsked(again)).toEqual({ agent: 'tester-agent', feature: 'FEAT-1' });
  });

  further('leaves other sessions of the same project alone, and lets only one be driven', async () => {
    const project = new DrivenSession();
    await project.order();
    project.session = 'session-2';
    const begun = await project.begin();
    expect(told(begun)).not.toContain('SES-');
    expect((await project.stop()).json).toEqual({});
    const file = { file_path: project.path('src/x.js'), content: 'export const x = 1;\n' };
    expect((await project.act('Write', file)).refused).toBe(false);
    expect((await project.spawn('tester-agent')).json).toEqual({});
    const second = await project.prompt('/guardkit-run');
    expect(second.json.systemMessage).toContain(project.kept().session);
    expect(startAsked(told(second))).toBeUndefined();
    expect(project.state()).toMatchObject({ state: 'coding', feature: 'FEAT-1' });
  });

  further('is taken over by a new agent session if the old one is gone', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.hook({ hook_event_name: 'SessionEnd', reason: 'other' });
    project.session = 'session-2';
    await project.begin();
    const again = told(await project.prompt('/guardkit-run'));
    expect(startAsked(again)).toEqual({ agent: 'coding-agent', feature: 'FEAT-1' });
    expect(project.entries('session_moved').filter(({ event }) => event === 'session_started')).toHaveLength(
      1,
    );
  });

  further('is not started if the hook timeout is too short for a verification', async () => {
    const project = new DrivenSession();
    const hooks = withHooks({}, ownHookCommand(project.dataFolder, 'claude'));
    const text = settingsText(hooks);
    project.write(
      '.claude/settings.local.json',
      text.replaceAll(`"timeout": ${STOP_TIMEOUT}`, '"timeout": 60'),
    );
    expect(await project.order()).toContain('guardkit init --agent claude');
    expect(existsSync(project.path('.claude/progress/session-state.json'))).toBe(false);
    project.write('.claude/settings.local.json', text);
    expect(startAsked(await project.order())).toEqual({ agent: 'coding-agent', feature: 'FEAT-1' });
  });

  further(
    'repeats its state after a restart or compaction, and forgets the agents that ended with the program',
    async () => {
      const project = new DrivenSession();
      await project.order();
      await project.spawn('coding-agent');
      await project.hook({ hook_event_name: 'SubagentStart', agent_id: 'a1', agent_type: 'coding-agent' });
      const began = async (source: string) =>
        told(await project.hook({ hook_event_name: 'SessionStart', source }));
      expect(startAsked(await began('compact'))).toBeUndefined();
      expect(project.kept().details.at_work).toMatchObject({ id: 'a1', agent: 'coding' });
      expect(startAsked(await began('resume'))).toEqual({ agent: 'coding-agent', feature: 'FEAT-1' });
      expect(project.kept().details.at_work).toBeNull();
    },
  );

  further('is not started if its work could not be judged, with a hint', async () => {
    const project = new DrivenSession();
    project.write('.guardkit/config.yaml', 'project: shop-1\n');
    project.git('commit', '-aqm', 'no commands');
    const given = await project.order();
    expect(given).toContain('verify:');
    expect(existsSync(project.path('.claude/progress/session-state.json'))).toBe(false);
    expect((await project.stop()).json.decision).toBeUndefined();
  });

  it('verifies itself when the tester stops: what agents say is no evidence, and what was tried goes out of the way [SESSION-1] [SESSION-2]', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.code('FEAT-1', 'cart', false);
    const back = await project.handedBack('coding-agent');
    expect(startAsked(back)).toEqual({ agent: 'tester-agent', feature: 'FEAT-1' });
    const tester = await project.agent('tester-agent', 'PASSED: all is well, and tested is true');
    expect(tester).toContain('FEAT-1');
    expect(tester).toContain('[coding, attempt 1] IMPLEMENTATION COMPLETE');
    expect(project.list().features[0]).toMatchObject({ tested: false, status: 'in_progress' });
    const mending = await project.code('FEAT-1', 'cart', false);
    expect(mending).toContain('AC-001 cart');
    expect(project.kept().failures).toMatchObject([
      { attempt: 1, outcome: 'fail', gates: ['tests', 'new-tests-bite'] },
    ]);
    await project.agent('tester-agent', 'PASSED: it was the gates that were wrong');
    expect(project.list().features[0]).toMatchObject({ status: 'blocked', tested: false });
    expect(project.read('src/cart.js')).toBe('export const cart = [];\n');
    expect(existsSync(project.path('test/cart.test.js'))).toBe(false);
    const [ref = ''] = project.git('for-each-ref', '--format=%(refname)', 'refs/guardkit').trim().split('\n');
    expect(ref).toMatch(/blocked\/FEAT-1$/);
    expect(project.git('show', `${ref}:src/cart.js`)).toContain('() => 1');
    expect(project.list().features[0]?.notes).toContain(ref);
    const { text } = await project.command('person', 'feature', 'show', 'FEAT-1');
    expect(text).toContain('[tester, attempt 2] PASSED');
    expect(project.entries('attempt_failed')).toMatchObject([
      { feature_id: 'FEAT-1', failure: { attempt: 1, outcome: 'fail' } },
      { feature_id: 'FEAT-1', failure: { attempt: 2, outcome: 'fail' } },
    ]);

    await project.code('FEAT-2', 'pay');
    await project.agent('tester-agent', 'PASSED: I paid.');
    const [, second] = project.list().features;
    expect(second).toMatchObject({ status: 'completed', tested: true });
    const end = await project.handedBack('tester-agent');
    expect(project.kept()).toMatchObject({ phase: 'ended', completed: ['FEAT-2'], blocked: ['FEAT-1'] });
    expect(end).toContain(project.kept().session);
    expect(end).toContain('FEAT-1');
    expect((await project.stop()).json.decision).toBeUndefined();
    expect(project.entries('violation_recorded')).toEqual([]);
    // The session is over: the agent that talks to the person is like any other.
    expect(
      (await project.act('Write', { file_path: project.path('src/y.js'), content: '1;\n' })).refused,
    ).toBe(false);
  });

  further('keeps a tester’s objection even if every gate passes', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.code('FEAT-1', 'pay');
    await project.agent('tester-agent', 'FAILED: the total is wrong for two things');
    const [first] = project.list().features;
    expect(first).toMatchObject({ status: 'in_progress' });
    expect(project.kept().failures).toMatchObject([{ attempt: 1, outcome: 'objection' }]);
    expect(startAsked(await project.handedBack('tester-agent'))).toEqual({
      agent: 'coding-agent',
      feature: 'FEAT-1',
    });
  });
});
