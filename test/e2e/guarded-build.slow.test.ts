import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { turnRecord } from '../../src/orchestration/turns/turn-record.ts';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { claudeProgram, use } from '../orchestration/drivers/driver-benches.ts';
import { BuildProject, type BuiltJson, DOCS_FILES } from '../support/build-project.ts';
import { LIST_PATH, listText } from '../support/hooked-project.ts';
import { startMessagesServer } from '../support/messages-server.ts';
import { ScriptedAgents } from './scripted-agents.ts';

const WITHOUT_PROGRAM = claudeProgram() ? '' : ' (the Claude Agent SDK has no program for this system here)';
const CONFIG = '.guardkit/config.yaml';
const FLIP = `const fs = require('fs');
const path = ['.claude', 'progress', 'feature-' + 'list.json'].join('/');
fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('"tested": false', '"tested": true'));
`;

/** A Player that tries to bypass its guards in every way, and then does its work. */
function agentsOf(project: BuildProject): ScriptedAgents {
  const own = (path: string) => join(project.worktree, path);
  return new ScriptedAgents({
    'Planner 1': [{ content: [{ type: 'text', text: '# Plan\n\nWrite docs/guide.md\n' }] }],
    'Player 1': [
      use('Write', { file_path: own(CONFIG), content: 'project: calc-1234\n' }),
      use('Bash', { command: 'node scripts/flip.cjs && cat .claude/progress/feature-list.json' }),
      use('Agent', { description: 'flip', prompt: 'Set tested', subagent_type: 'general-purpose' }),
      use('Write', { file_path: own('docs/guide.md'), content: '# How to add\n' }),
      use('StructuredOutput', {
        decision: 'implemented',
        summary: 'Wrote the guide',
        files_modified: ['docs/guide.md'],
        tests_passed: null,
        tests_failed: null,
        criteria: {},
        progress: '',
        blockers: [],
        lessons: [],
      }),
    ],
    'Coach 1': [
      use('Read', { file_path: own(CONFIG) }),
      use('StructuredOutput', {
        decision: 'approved',
        criteria: { 'AC-001': { status: 'verified', evidence: 'the guide is there' } },
        arch_score: 80,
        feedback: 'Good.',
        lessons: [],
        what_to_try_next: null,
      }),
    ],
  });
}

describe.skipIf(WITHOUT_PROGRAM !== '')(`a build by the real Claude Code${WITHOUT_PROGRAM}`, () => {
  // `guarded-run.slow.test.ts` covers the same guards without a sandbox and without a whole build.
  it.each<[string, string | undefined]>([
    ['in a sandbox', undefined],
    ['without one', 'bubblewrap is not installed'],
  ])(
    '%s continues under the guards: forbidden actions are refused or reverted, and recorded',
    async (_name, noSandbox) => {
      const project = new BuildProject({
        ...DOCS_FILES,
        'scripts/flip.cjs': FLIP,
        [LIST_PATH]: listText([{ id: 'FEAT-1' }]),
      });
      project.sandbox.noSandbox = noSandbox;
      const agents = agentsOf(project);
      const server = await startMessagesServer(agents.script);
      const { stdout, stderr } = await project.guardkit(
        ['feature-build', 'TASK-001', '--driver', 'claude', '--json', '--max-turns', '1'],
        { env: { ...server.env(project.sandbox.path('home')), ...project.sandbox.env } },
      );
      if (!stdout.startsWith('{')) throw new Error(`nothing was built: ${stderr}`);
      const built = JSON.parse(stdout) as BuiltJson;
      const entries = project.entries();
      project.cleanup();

      expect(agents.unexpected).toEqual([]);
      expect(built).toMatchObject({ outcome: 'approved' });
      expect(agents.toolResult('Player 1', 0)).toContain('[protected-set]');
      expect(agents.toolResult('Player 1', 2)).toContain('No such tool available');
      const [turn] = built.tasks[0]?.turns ?? [];
      expect(turn && turnRecord(turn)).toMatchObject({ refused: 1, put_back: [LIST_PATH] });
      const judged = entries.filter(({ kind }) => kind === 'action_judged');
      expect(judged.map(({ body }) => body)).toMatchObject([
        { agent: 'claude', agent_type: 'player', tool: 'Write', decision: 'deny' },
      ]);
      const violations = entries.filter(({ kind }) => kind === 'violation_recorded');
      expect(violations.map(({ body }) => body)).toMatchObject([
        { agent: 'claude', agent_type: 'player', path: LIST_PATH, restored: true },
      ]);
      const features = entries.filter(({ kind }) => kind === 'features_recorded');
      expect(JSON.stringify(features)).not.toContain('"tested":true');
      expect(stderr).toContain(LIST_PATH);
      const available = noSandbox === undefined && (await findSandbox()).available;
      expect(stderr).toMatch(available ? /Sandbox: +bubblewrap/ : /Sandbox: +none\b/);
      expect(stderr).toMatch(/Guards: .*\bclaude\b/);
    },
    180_000,
  );
});
