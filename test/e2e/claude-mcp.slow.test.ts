import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { CoachVerdict, PlayerReport } from '../../src/domain/entities/agent-answers.ts';
import { turnRecord } from '../../src/orchestration/turns/turn-record.ts';
import { claudeProgram, use } from '../orchestration/drivers/driver-benches.ts';
import { BuildProject, type Built, type BuiltJson, DOCS_FILES } from '../support/build-project.ts';
import { Sandbox } from '../support/cli.ts';
import { LIST_PATH, listText } from '../support/hooked-project.ts';
import { type Reply, startMessagesServer } from '../support/messages-server.ts';
import { ScriptedAgents } from './scripted-agents.ts';

const WITHOUT_PROGRAM = claudeProgram() ? '' : ' (the Claude Agent SDK has no program for this system here)';

const BUILD_MS = 180_000;
const GRAPH = '.maestro/knowledge.dot';
const UPDATE = 'mcp__guardkit__knowledge_update';
const OLD_NODE =
  '  "user-store" [type="datastore", level="implementation", status="current", description="Keeps users"];';

const NODE = { operation: 'add_node', name: 'guide', type: 'component', description: 'How to use it' };

function answer(input: Partial<PlayerReport> | CoachVerdict): Reply {
  return { content: [{ type: 'tool_use', name: 'StructuredOutput', input }] };
}

const REPORT: PlayerReport = {
  decision: 'implemented',
  summary: 'Wrote the guide',
  files_modified: ['docs/guide.md', GRAPH],
  tests_passed: null,
  tests_failed: null,
  criteria: { 'AC-001': 'verified' },
  progress: '',
  blockers: [],
  lessons: [],
};

const APPROVED: CoachVerdict = {
  decision: 'approved',
  criteria: { 'AC-001': { status: 'verified', evidence: 'the guide is there' } },
  arch_score: 80,
  feedback: 'Good.',
  lessons: [],
  what_to_try_next: null,
};

describe.skipIf(WITHOUT_PROGRAM !== '')(
  `the architecture graph in the real Claude Code${WITHOUT_PROGRAM}`,
  () => {
    const ends: (() => void)[] = [];
    let project: BuildProject;
    let agents: ScriptedAgents;
    let built: Built;

    beforeAll(async () => {
      project = new BuildProject({ ...DOCS_FILES, [GRAPH]: `digraph knowledge {\n${OLD_NODE}\n}\n` });
      ends.push(() => project.cleanup());
      const own = (path: string) => join(project.worktree, path);
      agents = new ScriptedAgents({
        'Planner 1': [
          use('mcp__guardkit__knowledge_query', { text: 'users' }),
          { content: [{ type: 'text', text: '# Plan\n\n1. Write docs/guide.md\n' }] },
        ],
        'Player 1': [
          use('Write', { file_path: own('docs/guide.md'), content: 'Add with add.\n' }),
          use(UPDATE, { ...NODE, level: 'application', status: 'active' }),
          use(UPDATE, { ...NODE, level: 'architecture', status: 'current' }),
          use(UPDATE, { operation: 'add_edge', from: 'guide', to: 'user-store', relation: 'uses' }),
          // Edited by hand, and invalid.
          use('Bash', {
            command: `sed -i 's/status="current", description="Keeps/status="planned", description="Keeps/' ${GRAPH}`,
          }),
          use('mcp__guardkit__verify_feature', { feature: 'TASK-001' }),
          answer(REPORT),
        ],
        'Coach 1': [use(UPDATE, { operation: 'remove_node', name: 'guide' }), answer(APPROVED)],
        'Player 2': [
          use(UPDATE, { operation: 'update_node', name: 'user-store', status: 'current' }),
          answer({ ...REPORT, summary: 'Mended the graph', files_modified: [GRAPH] }),
        ],
        'Coach 2': [answer(APPROVED)],
      });
      const server = await startMessagesServer(agents.script, (close) => ends.push(close));
      const result = await project.guardkit(['feature-build', 'TASK-001', '--driver', 'claude', '--json'], {
        env: { ...server.env(project.sandbox.path('home')), ...project.sandbox.env },
      });
      if (!result.stdout.startsWith('{')) throw new Error(`nothing was built: ${result.stderr}`);
      const json = JSON.parse(result.stdout) as BuiltJson;
      built = { ...result, json, turns: json.tasks?.[0]?.turns ?? [] };
    }, BUILD_MS);

    afterAll(() => {
      for (const end of ends.reverse()) end();
    });

    it('planner and Player get the tools and their instructions, the Coach does not', () => {
      const offered = (who: 'Planner 1' | 'Player 1' | 'Coach 1') =>
        agents.first(who).request.tools.map(({ name }) => name);
      for (const who of ['Planner 1', 'Player 1'] as const) {
        expect(offered(who)).toContain(UPDATE);
        expect(offered(who)).toContain('mcp__guardkit__knowledge_query');
        expect(agents.first(who).prompt).toContain('`knowledge_update` tool');
        expect(offered(who)).not.toContain('mcp__guardkit__verify_feature');
      }
      expect(offered('Coach 1').filter((name) => name.startsWith('mcp__'))).toEqual([]);
      expect(agents.first('Coach 1').prompt).not.toContain('knowledge_update');
      expect(agents.toolResult('Coach 1', 0)).toContain('No such tool available');
      expect(agents.toolResult('Planner 1', 0)).toMatch(/user-store\b.*Keeps users/);
      expect(agents.toolResult('Player 1', 5)).toContain('No such tool available');
    });

    it('an invalid node is refused with a correction, and then added', () => {
      const refused = agents.toolResult('Player 1', 1);
      expect(refused).toMatch(/\barchitecture\b.*\bcurrent\b/);
      expect(refused).toContain('"is_error":true');
      expect(agents.toolResult('Player 1', 2)).toContain('guide');
      expect(agents.toolResult('Player 1', 2)).not.toContain('"is_error":true');
      expect(agents.toolResult('Player 1', 3)).toMatch(/guide\b.*\buses\b.*user-store/);
    });

    it('an invalid edit by hand goes back to the Player with the fault, and the next turn is approved', () => {
      expect(agents.unexpected).toEqual([]);
      expect(built.turns.map((turn) => turn.coach_decision)).toEqual(['feedback', 'approved']);
      expect(built.turns.map((turn) => turnRecord(turn).gates)).toMatchObject([
        { architecture: 'fail' },
        { architecture: 'pass' },
      ]);
      const { prompt } = agents.first('Player 2');
      expect(prompt).toMatch(/knowledge\.dot:\d+:\d+/);
      expect(prompt).toMatch(/\bfuture\b/);
      expect(built.exitCode).toBe(0);
    });

    it('only the requested part of the file changed', () => {
      const text = readFileSync(join(project.worktree, GRAPH), 'utf8');
      expect(text.split('\n')).toContain(OLD_NODE);
      expect(text.split('\n').filter((line) => line.includes('guide'))).toHaveLength(2);
    });

    it('the history shows which turn changed the graph', () => {
      const recorded = project.entries().filter(({ kind }) => kind === 'architecture_recorded');
      expect(JSON.stringify(recorded)).toContain('TURN-TASK-001');
    });
  },
);

describe.skipIf(WITHOUT_PROGRAM !== '')(`the tools in a person’s own session${WITHOUT_PROGRAM}`, () => {
  it('work as installed by init --mcp, under the hooks, with an agent’s rights', async () => {
    const sandbox = new Sandbox();
    onTestFinished(() => sandbox.cleanup());
    sandbox.repository('shop');
    sandbox.write(`shop/${LIST_PATH}`, listText([{ id: 'FEAT-1' }]));
    await sandbox.guardkit(['init', '--agent', 'claude', '--mcp'], { in: 'shop' });
    const tool = (name: string, input: Record<string, unknown>) => use(`mcp__guardkit__${name}`, input);
    const script = [
      tool('next_action', {}),
      tool('feature_update', { id: 'FEAT-1', status: 'completed', tested: true }),
      tool('feature_update', { id: 'FEAT-1', status: 'completed', notes: 'done' }),
      { content: [{ type: 'text', text: 'All done.' }] } satisfies Reply,
    ];
    const server = await startMessagesServer(({ messages }) => {
      const answered = messages.filter(({ role }) => role === 'assistant').length;
      return script[Math.min(answered, script.length - 1)] as Reply;
    });
    await new Promise<void>((resolve) => {
      const child = execFile(
        String(claudeProgram()),
        ['-p', 'Go on', '--mcp-config', '.mcp.json', '--allowedTools', 'mcp__guardkit'],
        {
          cwd: sandbox.path('shop'),
          env: {
            ...server.env(sandbox.path('home')),
            PATH: process.env.PATH,
            MCP_CONNECTION_NONBLOCKING: '0',
          },
        },
        () => resolve(),
      );
      child.stdin?.end();
    });
    const told = JSON.stringify(server.requests.at(-1)?.messages);
    expect(told).toMatch(/FEAT-1\b.{0,20}\bpending\b/);
    expect(told).toMatch(/\btested\b/);
    expect(told).toMatch(/FEAT-1\b.{0,20}\bcompleted\b/);
    const list = JSON.parse(readFileSync(sandbox.path('shop', LIST_PATH), 'utf8'));
    expect(list.features).toMatchObject([
      { id: 'FEAT-1', status: 'completed', tested: false, notes: 'done' },
    ]);
  }, 90_000);
});
