import { describe, expect, it, onTestFinished } from 'vitest';
import { readActions, watchTables } from '../../src/enforcement/actions/open-actions.ts';
import { findSession, noteSession } from '../../src/enforcement/actions/sessions.ts';
import { askBroker } from '../../src/enforcement/broker/ask-broker.ts';
import type { DrivenRun } from '../../src/enforcement/driven/driven-run.ts';
import { findGitFolder } from '../../src/platform/git/git-folder.ts';
import { DrivenProject } from '../support/driven-project.ts';
import { LIST_PATH } from '../support/hooked-project.ts';
import { rows } from '../support/thorough.ts';

const RULES = '.guardkit/config.yaml';
const ADDED = { id: 'FEAT-9', description: 'Easy', priority: 1, acceptance_criteria: ['It is there'] };

type Payload = Record<string, unknown> & { hook_event_name: string };

/** One run in a sandbox, from inside which any message can be sent through the door. */
async function inside(
  project: DrivenProject,
  act: (tell: (payload: Payload) => Promise<{ exitCode: number; stderr: string }>) => Promise<void>,
  guards: DrivenRun = project.guards('command', { writable: [] }),
): Promise<void> {
  const door = await guards.openDoor();
  onTestFinished(door.close);
  const socket = door.shown[0] ?? '';
  await guards.asOneAction('the player’s run', () =>
    act((payload) =>
      askBroker(socket, {
        kind: 'hook',
        agent: 'claude',
        payload: JSON.stringify({ session_id: 'inside-1', cwd: project.folder, ...payload }),
      }),
    ),
  );
}

function addFeature(project: DrivenProject): void {
  const list = project.list();
  project.write(LIST_PATH, JSON.stringify({ ...list, features: [...list.features, ADDED] }, null, 2));
}

function ownSession(project: DrivenProject): string {
  const [window] = readActions(watchTables(project.ledger));
  if (!window) throw new Error('the run has no window');
  return window.session;
}

const ACT = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'tool-1' };
const ENDS: [name: string, payload: Payload][] = [
  ['an action', { hook_event_name: 'PostToolUse', ...ACT, tool_use_id: 'run', duration_ms: 0 }],
  ['a batch', { hook_event_name: 'PostToolBatch', tool_calls: [{ tool_use_id: 'run' }] }],
  ['the agent', { hook_event_name: 'Stop', stop_hook_active: true }],
  ['the session', { hook_event_name: 'SessionEnd', reason: 'other' }],
];

describe('[GUARD-3] a process in a sandbox that impersonates its agent', () => {
  it.each(rows(1, ['initializer', 'guardkit:initializer', 'person']))(
    'gets no more rights in the list by calling itself %s',
    async (agent_type) => {
      const project = new DrivenProject();
      await project.begin();
      const by = { agent_id: 'a1', agent_type };
      await inside(project, async (tell) => {
        await tell({ hook_event_name: 'PreToolUse', ...ACT, ...by });
        addFeature(project);
        await tell({ hook_event_name: 'FileChanged', file_path: project.path(LIST_PATH), ...by });
        addFeature(project);
        await tell({ hook_event_name: 'PostToolUse', ...ACT, ...by });
        addFeature(project);
      });
      expect(project.list().features.map(({ id }) => id)).toEqual(['FEAT-1', 'FEAT-2']);
      expect(project.entries('violation_recorded')).toMatchObject(
        Array(3).fill({ guard: 'field-rights', path: LIST_PATH }),
      );
    },
  );

  it('keeps the rights of its subagent', async () => {
    const project = new DrivenProject();
    await project.begin();
    const tester = { agent_id: 'a1', agent_type: 'tester' };
    await inside(project, async (tell) => {
      await tell({
        hook_event_name: 'PreToolUse',
        ...ACT,
        tool_name: 'Write',
        tool_input: { file_path: project.path(RULES), content: '' },
        ...tester,
      });
    });
    expect(project.entries('action_judged')).toMatchObject([{ agent_type: 'tester', decision: 'deny' }]);
  });

  it.each(rows(2, ENDS))('cannot end the run’s action by reporting the end of %s', async (_name, payload) => {
    const project = new DrivenProject();
    await project.begin();
    await inside(project, async (tell) => {
      // It cannot know this id, and even then it would not help.
      expect((await tell({ ...payload, session_id: ownSession(project) })).stderr).not.toBe('');
      await tell(payload);
      expect(readActions(watchTables(project.ledger))).toHaveLength(1);
    });
    expect(project.entries('violation_recorded')).toMatchObject([{ guard: 'hook-forgery' }]);
  });

  it('cannot end the session of another agent', async () => {
    const project = new DrivenProject();
    const git = findGitFolder(project.folder);
    if (!git) throw new Error('there is no repository');
    const context = { ledger: project.ledger, project: 'shop-1', checkout: project.folder, git };
    noteSession(context, { session: 'of-a-person', agent: 'claude' });
    await inside(project, async (tell) => {
      const told = await tell({ hook_event_name: 'SessionEnd', reason: 'other', session_id: 'of-a-person' });
      expect(told.stderr).not.toBe('');
    });
    expect(findSession(context, 'of-a-person')?.ended).toBe(false);
    expect(project.entries('violation_recorded')).toMatchObject([{ guard: 'hook-forgery' }]);
  });

  it('may resume a session of an earlier run', async () => {
    const project = new DrivenProject();
    const speak = () =>
      inside(project, async (tell) => {
        expect((await tell({ hook_event_name: 'PreToolUse', ...ACT })).exitCode).toBe(0);
      });
    await speak();
    await speak();
    expect(project.entries('violation_recorded')).toEqual([]);
  });
});
