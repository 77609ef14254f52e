import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { claudeProgram, use } from '../orchestration/drivers/driver-benches.ts';
import { type Reply, startMessagesServer } from '../support/messages-server.ts';
import { RunProject } from '../support/run-project.ts';
import type { RunJson } from './killed-run.ts';
import { ScriptedAgents } from './scripted-agents.ts';

const WITHOUT_PROGRAM = claudeProgram() ? '' : ' (the Claude Agent SDK has no program for this system here)';
const CHECK = { name: 'the text is there', command: 'test -s text.txt && test -s set-up.txt' };

function answers(input: Record<string, unknown>): Reply {
  return { content: [{ type: 'tool_use', name: 'StructuredOutput', input }] };
}

const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends.reverse()) end();
});

describe.skipIf(WITHOUT_PROGRAM !== '')(`a run with the real Claude Code${WITHOUT_PROGRAM}`, () => {
  it('goes from a brief to a completed feature, with an initializer, a planner, a Player and a Coach [RUN-3]', async () => {
    const project = new RunProject([], {
      '.guardkit/config.yaml': 'project: calc-1234\n',
      'BRIEF.md': 'A text, please.\n',
    });
    ends.push(() => project.cleanup());
    const agents = new ScriptedAgents({
      'Initializer 1': [
        use('Bash', { command: 'echo begun > set-up.txt' }),
        answers({
          features: [
            {
              id: 'FEAT-TEXT',
              name: 'A text',
              description: 'A text that people read.',
              task_type: 'documentation',
              complexity: 1,
              acceptance_criteria: ['AC-001: text.txt holds a text'],
              verify: { checks: [CHECK] },
            },
          ],
        }),
      ],
      'Planner 1': [
        { content: [{ type: 'text', text: '# Plan\n\nWrite text.txt, AC-001 is shown by its check.\n' }] },
      ],
      'Player 1': [
        use('Write', {
          file_path: join(project.sandbox.home, 'worktrees', 'calc-1234', 'FEAT-TEXT', 'text.txt'),
          content: 'Read me\n',
        }),
        answers({
          decision: 'implemented',
          summary: 'Wrote it',
          files_modified: ['text.txt'],
          tests_passed: null,
          tests_failed: null,
          criteria: { 'AC-001': 'verified' },
          progress: '',
          blockers: [],
          lessons: [],
        }),
      ],
      'Coach 1': [
        answers({
          decision: 'approved',
          criteria: { 'AC-001': { status: 'verified', evidence: CHECK.name } },
          arch_score: 90,
          feedback: 'Good',
          lessons: [],
          what_to_try_next: null,
        }),
      ],
    });
    const server = await startMessagesServer(agents.script, (close) => ends.push(close));
    const result = await project.guardkit(['run', '--driver', 'claude', '--brief', 'BRIEF.md', '--json'], {
      env: { ...server.env(project.sandbox.path('home')), ...project.sandbox.env },
    });
    expect(agents.unexpected).toEqual([]);
    expect(result.exitCode, result.stdout + result.stderr).toBe(0);
    const json = JSON.parse(result.stdout) as RunJson;
    expect(json.done.map(({ feature }) => feature)).toEqual(['FEAT-TEXT']);
    expect(json.cost_usd).toBeGreaterThan(0);
    expect(agents.first('Initializer 1').prompt).toContain('A text, please.');
    expect(project.git('show', `${json.branch}:set-up.txt`)).toBe('begun');
  });
});
