import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { HookedProject, LIST_PATH, listText } from '../../support/hooked-project.ts';
import { further } from '../../support/thorough.ts';

const TESTED = listText([{ id: 'FEAT-1', tested: true }, { id: 'FEAT-2' }]);

function entries(project: HookedProject, kind: string) {
  const ledger = openLedger({ path: join(project.dataFolder, 'ledger.db') });
  try {
    expect(ledger.verify('shop-1').ok).toBe(true);
    return ledger.entries('shop-1', { kind }).map(({ body }) => body);
  } finally {
    ledger.close();
  }
}

describe('a session of Claude Code under hooks', () => {
  it('is told what GuardKit watches, and what to watch for it', async () => {
    const project = new HookedProject();
    const { exitCode, json } = await project.begin();
    expect(exitCode).toBe(0);
    expect(json.hookSpecificOutput?.additionalContext).toContain('guardkit verify');
    expect(json.hookSpecificOutput?.watchPaths).toContain(project.path(LIST_PATH));
  });

  it('goes on undisturbed where nothing is to be said', async () => {
    const project = new HookedProject();
    await project.begin();
    const read = await project.act('Read', { file_path: project.path('src/cart.js') });
    expect(read.before).toMatchObject({ exitCode: 0, json: {} });
    const test = await project.bash('npm test; echo done > out.txt');
    expect(test).toMatchObject({ refused: false, before: { json: {} }, after: { json: {} } });
    expect(project.read('out.txt')).toBe('done\n');
    expect((await project.stop()).json).toEqual({});
    expect(entries(project, 'action_judged')).toEqual([]);
    expect(entries(project, 'violation_recorded')).toEqual([]);
  });

  it('[GUARD-1] is refused to write that a feature is tested', async () => {
    const project = new HookedProject();
    await project.begin();
    const write = await project.act('Write', { file_path: project.path(LIST_PATH), content: TESTED });
    expect(write.refused).toBe(true);
    expect(write.before.json.hookSpecificOutput?.permissionDecisionReason).toContain('guardkit verify');
    expect(project.list().features[0]?.tested).toBe(false);
    expect(entries(project, 'action_judged')).toMatchObject([{ decision: 'deny', tool: 'Write' }]);
  });

  it('has undone what a script of its own does to the list', async () => {
    const project = new HookedProject();
    await project.begin();
    project.write(
      'tool.sh',
      `printf %s '${TESTED.replaceAll('\n', '')}' > .claude/progress/feature-list.json\n`,
    );
    const run = await project.bash('sh ./tool.sh');
    expect(run.refused).toBe(false);
    expect(run.after?.json).toMatchObject({ decision: 'block' });
    expect(run.after?.json.reason).toContain('feature-list.json');
    expect(project.list().features[0]?.tested).toBe(false);
    expect(entries(project, 'violation_recorded')).toHaveLength(1);
  });

  further('changes no rule in force by writing a definition, and a person’s changes stay', async () => {
    const project = new HookedProject();
    await project.begin();
    const lax = 'project: shop-1\nguards:\n  destructive-commands: {mode: off}\n';
    project.write('tool.sh', `printf '${lax.replaceAll('\n', '\\n')}' > .guardkit/config.yaml\n`);
    await project.bash('sh ./tool.sh');
    project.git('commit', '-qam', 'By the agent');
    expect(project.read('.guardkit/config.yaml')).toBe(lax);
    expect((await project.bash('rm -rf /')).refused).toBe(true);
    expect(entries(project, 'violation_recorded')).toEqual([]);
    await project.hook({ hook_event_name: 'SessionEnd', reason: 'other' });
    project.write('.guardkit/config.yaml', 'project: shop-1\nprotected: [secret.txt]\n');
    project.git('commit', '-qam', 'By the person');
    project.session = `${project.session}-2`;
    await project.begin();
    expect(
      (await project.act('Write', { file_path: project.path('secret.txt'), content: 'x' })).refused,
    ).toBe(true);
    expect(project.read('.guardkit/config.yaml')).toContain('secret.txt');
  });

  further('has left standing what a person let pass, once', async () => {
    const project = new HookedProject();
    await project.begin();
    const ledger = openLedger({ path: join(project.dataFolder, 'ledger.db') });
    ledger.append('shop-1', 'waiver_issued', {
      waiver_id: 'W-1',
      guard: 'protected-set',
      until: new Date(Date.now() + 60_000).toISOString(),
      uses: 1,
      reason: 'new tests',
      by: 'Ada',
    });
    ledger.close();
    const edit = { file_path: project.path('.guardkit/config.yaml'), content: 'project: shop-1\n# mine\n' };
    const first = await project.act('Write', edit);
    expect(first).toMatchObject({ refused: false, after: { json: {} } });
    expect(first.before.json.systemMessage).toContain('W-1');
    expect(project.read('.guardkit/config.yaml')).toContain('# mine');
    expect((await project.act('Write', { ...edit, content: 'project: other\n' })).refused).toBe(true);
    expect(entries(project, 'waiver_used')).toMatchObject([{ waiver_id: 'W-1', guard: 'protected-set' }]);
    expect(entries(project, 'violation_recorded')).toEqual([]);
  });

  further('may propose a task with GuardKit or with its own tool, and both stay', async () => {
    const project = new HookedProject();
    await project.begin();
    const call = { tool_name: 'Bash', tool_input: { command: 'guardkit task create X' }, tool_use_id: 't' };
    expect((await project.hook({ hook_event_name: 'PreToolUse', ...call })).json).toEqual({});
    const made = await project.guardkit('task', 'create', 'Cart', '--criterion', 'It adds up', '--json');
    await project.hook({ hook_event_name: 'PostToolUse', ...call, tool_response: {} });
    const own = await project.act('Write', {
      file_path: project.path('tasks/TASK-900-mine.md'),
      content: '# Mine\n',
    });
    expect(own.refused).toBe(false);
    expect(existsSync(project.path(JSON.parse(made).path))).toBe(true);
    expect(existsSync(project.path('tasks/TASK-900-mine.md'))).toBe(true);
    const proposed = entries(project, 'definition_proposed');
    expect(proposed).toMatchObject([
      { origin: 'guardkit' },
      { path: 'tasks/TASK-900-mine.md', origin: 'edit-tool' },
    ]);
  });

  it('may do with the list what its role may', async () => {
    const project = new HookedProject();
    await project.begin();
    const content = listText([{ id: 'FEAT-1', status: 'completed', notes: 'cart done' }, { id: 'FEAT-2' }]);
    const write = await project.act(
      'Write',
      { file_path: project.path(LIST_PATH), content },
      { agent_id: 'a', agent_type: 'coding-agent' },
    );
    expect(write).toMatchObject({ refused: false, after: { json: {} } });
    expect(project.list().features[0]).toMatchObject({
      status: 'completed',
      notes: 'cart done',
      tested: false,
    });
  });

  further('sends a coding agent back that changed nothing, once', async () => {
    const project = new HookedProject();
    await project.begin();
    const coder = { agent_id: 'a', agent_type: 'coding-agent' };
    await project.hook({ hook_event_name: 'SubagentStart', ...coder });
    const first = await project.stop({ hook_event_name: 'SubagentStop', ...coder });
    expect(first.json).toMatchObject({ decision: 'block' });
    const again = await project.stop({ hook_event_name: 'SubagentStop', stop_hook_active: true, ...coder });
    expect(again.json).toEqual({});
    await project.act('Write', { file_path: project.path('src/new.js'), content: 'x' }, coder);
    const worked = await project.stop({ hook_event_name: 'SubagentStop', ...coder });
    expect(worked.json).toEqual({});
  });
});

describe('[GUARD-4] a hook that cannot judge', () => {
  it.each([
    ['no JSON', '{'],
    ['no event', '{"a": 1}'],
    ['an event without its tool', '{"session_id":"s","cwd":"/","hook_event_name":"PreToolUse"}'],
  ])('refuses %s', async (_, text) => {
    const { exitCode, stderr } = await new HookedProject().hookText(text);
    expect(exitCode).toBe(2);
    expect(stderr).not.toBe('');
  });

  it('refuses without its ledger, and never a person’s prompt', async () => {
    const project = new HookedProject();
    await project.begin();
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(project.dataFolder, `ledger.db${suffix}`), { force: true });
    project.write('../home/.guardkit/ledger.db', 'this is no ledger, '.repeat(100));
    const { before } = await project.bash('ls');
    expect(before.exitCode).toBe(2);
    expect(before.stderr).toContain('ledger');
    const prompt = await project.hook({ hook_event_name: 'UserPromptSubmit', prompt: 'help' });
    expect(prompt.exitCode).toBe(0);
    expect(prompt.json.systemMessage).toContain('ledger');
    expect(prompt.json.decision).toBeUndefined();
  });

  it('refuses outside of a repository', async () => {
    const project = new HookedProject();
    rmSync(project.path('.git'), { recursive: true });
    expect((await project.bash('ls')).before.stderr).toContain('git');
  });
});
