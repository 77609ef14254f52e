import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DrivenSession, startAsked } from '../orchestration/in-agent/driven-session.ts';
import { PROGRAM } from '../support/cli.ts';

it('a verification that was killed is run again when the agent stops [SESSION-3]', async () => {
  const project = new DrivenSession();
  await project.order();
  await project.code('FEAT-1', 'pay');
  await project.spawn('tester-agent');
  const by = { agent_id: 'tester-1', agent_type: 'tester-agent' };
  await project.hook({ hook_event_name: 'SubagentStart', ...by });
  const event = {
    session_id: project.session,
    cwd: project.folder,
    hook_event_name: 'SubagentStop',
    last_assistant_message: 'PASSED: it pays',
    ...by,
  };
  const hook = spawn(PROGRAM, ['hook', 'claude'], {
    cwd: project.folder,
    env: project.agentEnv(),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const ended = new Promise((resolve) => hook.once('exit', resolve));
  hook.stdin.end(JSON.stringify(event));
  while (project.state().state === 'testing') await wait(5);
  process.kill(-Number(hook.pid), 'SIGKILL');
  await ended;
  expect(project.list().features[0]).toMatchObject({ tested: false });

  const stopped = await project.stop();
  expect(stopped.json.decision).toBe('block');
  expect(startAsked(stopped.json.reason ?? '')).toEqual({ agent: 'coding-agent', feature: 'FEAT-2' });
  expect(project.list().features[0]).toMatchObject({ status: 'completed', tested: true });
  expect(project.entries('violation_recorded')).toEqual([]);
}, 240_000);
