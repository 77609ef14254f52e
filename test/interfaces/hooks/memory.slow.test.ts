import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { type KeptAction, keptActions, pruneKept } from '../../../src/store/ledger/tables/kept-actions.ts';
import { transcriptSince } from '../../../src/store/ledger/tables/transcript.ts';
import { HookedProject, LIST_PATH, listText } from '../../support/hooked-project.ts';

function withLedger<Result>(project: HookedProject, read: (ledger: ReturnType<typeof openLedger>) => Result) {
  const ledger = openLedger({ path: join(project.dataFolder, 'ledger.db') });
  try {
    return read(ledger);
  } finally {
    ledger.close();
  }
}

const kept = (project: HookedProject): KeptAction[] =>
  withLedger(project, (ledger) => [...keptActions(ledger, 'shop-1')]);

const corrections = (project: HookedProject) =>
  withLedger(project, (ledger) =>
    ledger.entries('shop-1', { kind: 'correction_noticed' }).map(({ body }) => body),
  );

const say = (project: HookedProject, prompt: string, more = {}) =>
  project.hook({ hook_event_name: 'UserPromptSubmit', prompt, source: 'user', ...more });

const TESTED = listText([{ id: 'FEAT-1', tested: true }, { id: 'FEAT-2' }]);

describe('[LEARN-2] what an agent does under hooks is kept', () => {
  it('with what the guards said, also where they had nothing to say', async () => {
    const project = new HookedProject();
    await project.begin();
    await project.act('Read', { file_path: project.path('src/cart.js') });
    await project.bash('npm test', { agent_type: 'tester-agent', agent_id: 'a1' });
    await project.act('Write', { file_path: project.path(LIST_PATH), content: TESTED });
    await project.stop();
    const actions = kept(project);
    expect(actions.map(({ kind, decision }) => `${kind} ${decision}`)).toEqual([
      'read allow',
      'command allow',
      'edit deny',
      'stop allow',
    ]);
    expect(actions[1]).toMatchObject({
      action: 'tool-2',
      body: { type: 'tester-agent', command: 'npm test' },
    });
    expect(actions[2]?.body.findings).toContainEqual({
      guard: 'block-tested-true',
      decision: 'deny',
      silent: null,
    });
    expect(JSON.parse(actions[2]?.body.edits?.[0]?.list ?? '')).toEqual({
      features: [{ id: 'FEAT-1', tested: true }],
    });
  });

  it('unless the project says not to, and a doctor’s never', async () => {
    const project = new HookedProject();
    project.write('.guardkit/config.yaml', 'project: shop-1\nlearning:\n  actions: off\n');
    project.git('commit', '-qam', 'Keep nothing');
    await project.begin();
    await project.bash('npm test');
    expect(kept(project)).toEqual([]);
    const other = new HookedProject();
    other.session = 'guardkit-doctor-1';
    await other.begin();
    await other.bash('npm test');
    expect(kept(other)).toEqual([]);
  });

  it('no longer and no more than it may be, the oldest going first', async () => {
    const project = new HookedProject();
    await project.begin();
    for (let count = 0; count < 4; count += 1) await project.bash(`echo ${count} ${'x'.repeat(400)}`);
    const ids = kept(project).map(({ id }) => id);
    const now = Date.now();
    withLedger(project, (ledger) => {
      expect(pruneKept(ledger, 'shop-1', { days: 1, megabytes: 1 }, now)).toBe(0);
      expect(pruneKept(ledger, 'other', { days: 1, megabytes: 1 }, now + 9e9)).toBe(0);
      // Two of them are more than this.
      expect(pruneKept(ledger, 'shop-1', { days: 1, megabytes: 0.0015 }, now)).toBeGreaterThan(0);
    });
    const left = kept(project).map(({ id }) => id);
    expect(left).toEqual(ids.slice(-left.length));
    expect(left.length).toBeLessThan(ids.length);
    withLedger(project, (ledger) => pruneKept(ledger, 'shop-1', { days: 1, megabytes: 1 }, now + 2 * 864e5));
    expect(kept(project)).toEqual([]);
  });
});

describe('[LEARN-1] a refusal', () => {
  it('is told with the feature that it was about', async () => {
    const project = new HookedProject();
    await project.begin();
    await project.act('Write', { file_path: project.path(LIST_PATH), content: TESTED });
    const bodies = withLedger(project, (ledger) => ledger.entries('shop-1', { kind: 'action_judged' }));
    expect(bodies.map(({ body }) => [body.feature, body.attempted])).toEqual([
      ['FEAT-1', `edit ${LIST_PATH}`],
    ]);
  });
});

describe('[LEARN-3] a correction', () => {
  it('is noticed after what the agent did, with both quotes', async () => {
    const project = new HookedProject();
    await project.begin();
    await say(project, 'Add a total to the cart.');
    await project.act('Edit', {
      file_path: project.path('src/cart.js'),
      old_string: '[]',
      new_string: '[1]',
    });
    await project.stop({ last_assistant_message: 'I replaced the cart by a fixed list. Done.' });
    await say(project, 'No, that is wrong. I asked you for a total, and you broke the cart.');
    expect(corrections(project)).toMatchObject([
      {
        session: project.session,
        signs: ['words'],
        person_quote: 'No, that is wrong. I asked you for a total, and you broke the cart.',
        agent_quote: 'I replaced the cart by a fixed list. Done.',
        files: ['src/cart.js'],
      },
    ]);
  });

  it('is noticed by a file that the person put back', async () => {
    const project = new HookedProject();
    await project.begin();
    await say(project, 'Rename the export.');
    const before = project.read('src/cart.js');
    await project.act('Edit', {
      file_path: project.path('src/cart.js'),
      old_string: 'cart',
      new_string: 'x',
    });
    await project.stop({ last_assistant_message: 'Renamed.' });
    project.write('src/cart.js', before);
    await say(project, 'undo that please, I put the file back');
    expect(corrections(project)).toMatchObject([{ signs: ['words', 'put_back'] }]);
  });

  it('is noticed by a tool that the person cut short', async () => {
    const project = new HookedProject();
    await project.begin();
    await say(project, 'Clean the build folder.');
    const call = { tool_name: 'Bash', tool_input: { command: 'sleep 1' }, tool_use_id: 'tool-9' };
    await project.hook({ hook_event_name: 'PreToolUse', ...call });
    await project.hook({ hook_event_name: 'PostToolUseFailure', ...call, error: 'x', is_interrupt: true });
    await say(project, 'wait, not that folder');
    expect(corrections(project)).toMatchObject([{ signs: ['words', 'interrupted'] }]);
  });

  it('is none where the agent has done nothing, in an ordinary prompt, from a program, or where it is turned off', async () => {
    const project = new HookedProject();
    await project.begin();
    await say(project, 'No, that is wrong. You broke it.');
    await project.bash('npm test');
    await project.stop({ last_assistant_message: 'The tests pass.' });
    await say(project, 'Thanks. Now add a page for the orders.');
    await project.bash('npm test');
    await say(project, '<task-notification>wrong, you broke it</task-notification>', { source: 'system' });
    expect(corrections(project)).toEqual([]);
    const said = withLedger(project, (ledger) => transcriptSince(ledger, 'shop-1'));
    expect(said.map(({ who }) => who)).toEqual(['person', 'agent', 'person', 'program']);
    const off = new HookedProject();
    off.write('.guardkit/config.yaml', 'project: shop-1\nlearning:\n  corrections: off\n');
    off.git('commit', '-qam', 'Look for no corrections');
    await off.begin();
    await off.bash('npm test');
    await say(off, 'No, that is wrong. You broke it.');
    expect(corrections(off)).toEqual([]);
  });
});

describe('[LEARN-4] precedents', () => {
  it('are told to the next session and to a subagent, marked, and are not stored when they are said again', async () => {
    const project = new HookedProject();
    await project.begin();
    await project.act('Write', { file_path: project.path(LIST_PATH), content: TESTED });
    await project.hook({ hook_event_name: 'SessionEnd', reason: 'exit' });
    project.session = 'session-2';
    const { json } = await project.begin();
    const context = json.hookSpecificOutput?.additionalContext ?? '';
    expect(context).toContain('<guardkit-precedents>');
    expect(context).toMatch(/\[precedent TRACE-[0-9a-f]{12}-\d+\] denied \(block-tested-true\)/);
    const { json: subagent } = await project.hook({
      hook_event_name: 'SubagentStart',
      agent_id: 'a1',
      agent_type: 'coding-agent',
    });
    expect(subagent.hookSpecificOutput?.additionalContext).toContain('block-tested-true');
    await say(project, 'go on');
    await project.bash('npm test');
    const block = context.slice(context.indexOf('<guardkit-precedents>'));
    await project.stop({ last_assistant_message: `I was told:\n${block}` });
    await say(project, 'No, that is wrong, you broke it.');
    expect(corrections(project)).toMatchObject([{ agent_quote: 'I was told:' }]);
  });

  it('cost a new project nothing and say nothing there', async () => {
    const { json } = await new HookedProject().begin();
    expect(json.hookSpecificOutput?.additionalContext).not.toContain('precedent');
  });
});
