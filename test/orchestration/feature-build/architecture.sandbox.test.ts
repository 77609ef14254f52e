import { expect, it } from 'vitest';
import { BuildProject, buildProjects, DOCS_FILES, docsTurn } from '../../support/build-project.ts';

const node = (id: string, status: string) =>
  `  ${id} [type=component, level=architecture, status=${status}, description="the ${id} of the guide"];\n`;
const graph = (...parts: string[]) => `digraph knowledge {\n${parts.join('')}}\n`;
const newProject = buildProjects({
  ...DOCS_FILES,
  '.maestro/knowledge.dot': graph(node('adder', 'current')),
});

/** Writes the guide, and the graph beside it. */
function turn(text: string, dot: string) {
  const { player, coach } = docsTurn(text);
  const files = { ...player.write, '.maestro/knowledge.dot': dot };
  return {
    player: { ...player, write: files, report: { ...player.report, files_modified: Object.keys(files) } },
    coach,
  };
}

it('a turn that leaves the architecture graph invalid gets its faults as feedback, even if the Coach approves [VERIFY-9][GRAPH-5]', async () => {
  const project = newProject();
  const built = await project.build(
    [
      turn('How to add', graph(node('adder', 'current'), node('index', 'active'))),
      turn('How to add, again', graph(node('adder', 'current'), node('index', 'current'))),
    ],
    ['--json-events'],
  );
  expect(built.json.outcome).toBe('approved');
  const [first, second] = built.turns;
  expect(first).toMatchObject({ coach_decision: 'feedback' });
  expect(first?.coach_feedback).toMatch(/\barchitecture\b.*knowledge\.dot:3:\d+: .*active.*current/);
  expect(second).toMatchObject({ coach_decision: 'approved' });
  const prompts = BuildProject.events(built).filter(({ type }) => type === 'prompted');
  expect(prompts.length).toBeGreaterThanOrEqual(4);
  expect(prompts).toEqual(
    prompts.map(() => expect.objectContaining({ injected: expect.arrayContaining(['architecture']) })),
  );
  const { stdout } = await project.guardkit(['graphiti', 'history', 'index']);
  expect(stdout).toContain('turn: "TURN-TASK-001-TASK-001-T2"');
  expect(stdout).not.toContain('active');
});
