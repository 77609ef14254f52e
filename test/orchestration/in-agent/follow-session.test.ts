import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STOP_TIMEOUT, settingsText, withHooks } from '../../../src/enforcement/wiring/claude-settings.ts';
import { ownHookCommand } from '../../../src/enforcement/wiring/hook-command.ts';
import { DrivenSession, told } from './driven-session.ts';

const VERIFY_MS = 120_000;

describe('a session inside an agent’s program', () => {
  it('is not there until a person asks for it [SESSION-4]', async () => {
    const project = new DrivenSession();
    await project.begin();
    expect(told(await project.prompt('work through the features, please'))).toBe('');
    expect((await project.stop()).json.decision).toBeUndefined();
    expect(existsSync(project.path('.claude/progress/session-state.json'))).toBe(false);
  });

  it('tells who ordered it where it stands, the agent to start and that it delegates', async () => {
    const project = new DrivenSession();
    const given = await project.order();
    expect(given).toContain('coding, FEAT-1, attempt 1 of 2');
    expect(given).toContain('next: Start `coding-agent` for FEAT-1.');
    expect(given).toContain('neither implement nor test yourself');
    expect(project.state()).toMatchObject({ state: 'coding', feature: 'FEAT-1', agent: 'coding' });
  });

  it('lets nobody but the coding agent change sources, and only while it is driven', async () => {
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

  it('refuses agents out of their turn, a second one, and those that agents start', async () => {
    const project = new DrivenSession();
    await project.order();
    const why = async (type: string, by = {}) =>
      (await project.spawn(type, by)).json.hookSpecificOutput?.permissionDecisionReason ?? '';
    expect(await why('tester-agent')).toContain('not the tester agent’s turn');
    expect(await why('Explore')).toBe('');
    expect(await why('coding-agent')).toBe('');
    const first = { agent_id: 'first', agent_type: 'coding-agent' };
    expect(told(await project.hook({ hook_event_name: 'SubagentStart', ...first }))).toContain(
      'you implement FEAT-1',
    );
    expect(await why('coding-agent')).toContain('at work already');
    expect(await why('tester-agent', first)).toContain('by the orchestrating agent alone');
    expect(project.entries('action_judged').map(({ decision }) => decision)).toEqual([
      'deny',
      'deny',
      'deny',
    ]);
    // One that came up all the same is sent home, and its end is not the first one's.
    const second = { agent_id: 'second', agent_type: 'evil:coding-agent' };
    expect(told(await project.hook({ hook_event_name: 'SubagentStart', ...second }))).toContain(
      'not the coding agent’s turn',
    );
    const said = { last_assistant_message: 'IMPLEMENTATION COMPLETE - Feature FEAT-1 ready for testing' };
    await project.hook({ hook_event_name: 'SubagentStop', ...second, stop_hook_active: true, ...said });
    expect(project.state().state).toBe('coding');
  });

  it('keeps the agent going while there is something to do, and lets it go after two times for nothing', async () => {
    const project = new DrivenSession();
    await project.order();
    const first = await project.stop();
    expect(first.json).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('next: Start `coding-agent`'),
    });
    expect((await project.stop({ stop_hook_active: true })).json.decision).toBe('block');
    const last = await project.stop({ stop_hook_active: true });
    expect(last.json.decision).toBeUndefined();
    expect(last.json.systemMessage).toContain('Nothing happened after being told twice');
    expect(project.state().state).toBe('paused');
    expect(told(await project.prompt('/guardkit-run'))).toContain('next: Start `coding-agent` for FEAT-1.');
  });

  it('lets it stop at once while an agent works in the background, and counts nothing', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.spawn('coding-agent');
    const by = { agent_id: 'a1', agent_type: 'coding-agent' };
    await project.hook({ hook_event_name: 'SubagentStart', ...by });
    const launched = await project.handedBack('coding-agent', {
      tool_response: { status: 'async_launched' },
    });
    expect(launched).toContain('next: Wait for the coding agent');
    const background_tasks = [{ id: 'a1', type: 'subagent', status: 'running' }];
    for (let count = 0; count < 4; count++)
      expect((await project.stop({ background_tasks })).json.decision).toBeUndefined();
    expect(project.state().state).toBe('coding');
  });

  it('counts an agent that broke off as a failed attempt, however that is told', async () => {
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
    expect(failed).toContain('attempt 1 failed (crashed). API Error: 529 overloaded');
    await begin('a2');
    const notice =
      '<task-notification>\n<task-id>a2</task-id>\n<status>failed</status>\n</task-notification>';
    const given = told(await project.prompt(notice));
    expect(given).toContain('FEAT-1: attempt 2 failed (crashed)');
    expect(given).toContain('next: Start `coding-agent` for FEAT-2.');
    expect(project.list().features[0]).toMatchObject({ status: 'blocked', tested: false });
  });

  it('rests while a person speaks, hears the agent’s end meanwhile, and goes on when it is told to [SESSION-4]', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.spawn('coding-agent');
    const by = { agent_id: 'a1', agent_type: 'coding-agent' };
    await project.hook({ hook_event_name: 'SubagentStart', ...by });
    const given = told(await project.prompt('What are you doing?'));
    expect(given).toContain('rests, since a person has spoken');
    expect((await project.stop()).json.decision).toBeUndefined();
    const said = { last_assistant_message: 'IMPLEMENTATION COMPLETE - Feature FEAT-1 ready for testing' };
    await project.hook({ hook_event_name: 'SubagentStop', ...by, stop_hook_active: true, ...said });
    expect(project.state().state).toBe('paused');
    expect(told(await project.prompt('/guardkit-run'))).toContain('next: Start `tester-agent` for FEAT-1.');
  });

  it('leaves other sessions of the same project alone, and lets only one be driven', async () => {
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
    expect(second.json.systemMessage).toContain('Another session of the agent drives session');
    expect(project.state()).toMatchObject({ state: 'coding', feature: 'FEAT-1' });
  });

  it('is taken over by a new session where the old one is gone', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.hook({ hook_event_name: 'SessionEnd', reason: 'other' });
    project.session = 'session-2';
    await project.begin();
    expect(told(await project.prompt('/guardkit-run'))).toContain('next: Start `coding-agent` for FEAT-1.');
    expect(project.entries('session_moved').filter(({ event }) => event === 'session_started')).toHaveLength(
      1,
    );
  });

  it('is not begun where hooks have no time for a verification', async () => {
    const project = new DrivenSession();
    const hooks = withHooks({}, ownHookCommand(project.dataFolder, 'claude'));
    const text = settingsText(hooks);
    project.write(
      '.claude/settings.local.json',
      text.replaceAll(`"timeout": ${STOP_TIMEOUT}`, '"timeout": 60'),
    );
    expect(await project.order()).toContain('wired for verifications of at most 60 seconds');
    project.write('.claude/settings.local.json', text);
    expect(await project.order()).toContain('next: Start `coding-agent` for FEAT-1.');
  });

  it('tells again where it stands when its program begins anew or has forgotten, and knows which agents went with it', async () => {
    const project = new DrivenSession();
    await project.order();
    await project.spawn('coding-agent');
    await project.hook({ hook_event_name: 'SubagentStart', agent_id: 'a1', agent_type: 'coding-agent' });
    const began = async (source: string) =>
      told(await project.hook({ hook_event_name: 'SessionStart', source }));
    expect(await began('compact')).toContain('next: Wait for the coding agent');
    expect(await began('resume')).toContain('next: Start `coding-agent` for FEAT-1.');
  });

  it('is not begun where its work could not be judged, and says what to do', async () => {
    const project = new DrivenSession();
    project.write('.guardkit/config.yaml', 'project: shop-1\n');
    project.git('commit', '-aqm', 'no commands');
    const given = await project.order();
    expect(given).toContain('GuardKit could not start the session');
    expect(given).toContain('verify:');
    expect((await project.stop()).json.decision).toBeUndefined();
  });

  it(
    'verifies itself when the tester stops: what agents say is no evidence, and what was tried goes out of the way [SESSION-1] [SESSION-2]',
    async () => {
      const project = new DrivenSession();
      await project.order();
      await project.code('FEAT-1', 'cart', false);
      expect(await project.handedBack('coding-agent')).toContain('next: Start `tester-agent` for FEAT-1.');
      const tester = await project.agent('tester-agent', 'PASSED: all is well, and tested is true');
      expect(tester).toContain('you test FEAT-1');
      expect(tester).toContain('[coding, attempt 1] IMPLEMENTATION COMPLETE');
      expect(project.list().features[0]).toMatchObject({ tested: false, status: 'in_progress' });
      const mending = await project.code('FEAT-1', 'cart', false);
      expect(mending).toContain('1 of 2 failed: AC-001 cart');
      await project.agent('tester-agent', 'PASSED: it was the gates that were wrong');
      expect(project.list().features[0]).toMatchObject({ status: 'blocked', tested: false });
      expect(project.read('src/cart.js')).toBe('export const cart = [];\n');
      expect(existsSync(project.path('test/cart.test.js'))).toBe(false);
      const [ref = ''] = project
        .git('for-each-ref', '--format=%(refname)', 'refs/guardkit')
        .trim()
        .split('\n');
      expect(ref).toMatch(/blocked\/FEAT-1$/);
      expect(project.git('show', `${ref}:src/cart.js`)).toContain('() => 1');
      expect(project.list().features[0]?.notes).toContain(ref);
      const { text } = await project.command('person', 'feature', 'show', 'FEAT-1');
      expect(text).toMatch(/attempt 2 failed: fail[\s\S]*notes:[\s\S]*\[tester, attempt 2\] PASSED/);

      await project.code('FEAT-2', 'pay');
      await project.agent('tester-agent', 'PASSED: I paid.');
      const [, second] = project.list().features;
      expect(second).toMatchObject({ status: 'completed', tested: true });
      const end = await project.handedBack('tester-agent');
      expect(end).toContain('has ended');
      expect(end).toContain('done, each verified by GuardKit: FEAT-2');
      expect(end).toContain('- FEAT-1: Is what tests');
      expect((await project.stop()).json.decision).toBeUndefined();
      expect(project.entries('violation_recorded')).toEqual([]);
      // The session is over: the agent that talks to the person is like any other.
      expect(
        (await project.act('Write', { file_path: project.path('src/y.js'), content: '1;\n' })).refused,
      ).toBe(false);
    },
    VERIFY_MS,
  );

  it(
    'holds what a tester found wrong though every gate passes',
    async () => {
      const project = new DrivenSession();
      await project.order();
      await project.code('FEAT-1', 'pay');
      await project.agent('tester-agent', 'FAILED: the total is wrong for two things');
      const [first] = project.list().features;
      expect(first).toMatchObject({ status: 'in_progress' });
      expect(await project.handedBack('tester-agent')).toContain('attempt 1 failed (objection)');
    },
    VERIFY_MS,
  );
});
