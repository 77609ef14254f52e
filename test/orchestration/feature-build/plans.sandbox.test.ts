import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failedApproach, failedApproachSchema } from '../../../src/domain/entities/failed-approach.ts';
import { BuildProject, buildProjects, DOCS_FILES, docsTurn } from '../../support/build-project.ts';
import { further } from '../../support/thorough.ts';

/** An agent with a scripted planner per turn, and a Player that writes the guide. */
function files(planner: string): Readonly<Record<string, string>> {
  return {
    ...DOCS_FILES,
    '.guardkit/config.yaml': `${DOCS_FILES['.guardkit/config.yaml']}drivers:\n  command:\n    run: sh agent.sh\n`,
    'agent.sh': `cat > /dev/null
if [ "$GUARDKIT_ROLE" = planner ]; then
  ${planner}
  exit 0
fi
mkdir -p docs && echo guide > docs/guide.md
echo '{"decision": "implemented", "summary": "Wrote it", "files_modified": ["docs/guide.md"]}'
`,
  };
}

const PLAN = '.claude/task-plans/TASK-001-implementation-plan.md';
const newProject = buildProjects(DOCS_FILES, (project) => project.workInProgress());

async function build(project: BuildProject) {
  const turns = [{ coach: docsTurn('guide').coach }];
  const built = await project.build(turns, [
    '--driver',
    'command',
    '--coach-driver',
    'script',
    '--json-events',
  ]);
  const asked = BuildProject.events(built).flatMap((event) =>
    event.type === 'agent_began' ? [`${event.turn} ${event.role}`] : [],
  );
  return { ...built, asked };
}

it('without a plan from the planner the Player does not run, and the next turn asks for a plan again [BUILD-12]', async () => {
  const project = newProject(
    files('[ "$GUARDKIT_TURN" = 1 ] && { echo no key >&2; exit 2; }; echo "# The plan"; echo by hand'),
  );
  const built = await build(project);
  expect(built.json.outcome, built.stderr).toBe('approved');
  expect(built.asked).toEqual(['1 planner', '2 planner', '2 player', '2 coach']);
  expect(built.turns[0]).toMatchObject({ player_decision: 'failed', coach_decision: null });
  expect(built.turns[0]?.player_summary).toMatch(/exit 2.*no key/s);
  expect(readFileSync(join(built.json.worktree, PLAN), 'utf8')).toBe('# The plan\nby hand');
});

further.each([
  [
    'writes the plan itself and answers something else',
    `mkdir -p .claude/task-plans; echo Mine > ${PLAN}; echo Done.`,
  ],
  ['leaves an empty file and answers with the plan', `mkdir -p .claude/task-plans; : > ${PLAN}; echo Mine`],
])('a planner that %s has made one', async (_name, planner) => {
  const built = await build(newProject(files(planner)));
  expect(built.json.outcome, built.stderr).toBe('approved');
  expect(built.asked).toEqual(['1 planner', '1 player', '1 coach']);
  expect(readFileSync(join(built.json.worktree, PLAN), 'utf8').trim()).toBe('Mine');
});

further('if no plan can be made, the build ends with the reason [BUILD-12]', async () => {
  const built = await build(newProject(files(`mkdir -p ${PLAN}; echo Mine`)));
  expect(built.json.outcome).toBe('failed');
  expect(built.asked).toEqual(['1 planner', '2 planner', '3 planner']);
  expect(built.stdout).toContain(PLAN);
});

further('an empty plan in the repository does not count', async () => {
  const project = newProject({ ...files('echo Mine'), [PLAN]: '\n' });
  const refused = await project.tryBuild([docsTurn('guide')], ['--require-plan']);
  expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('plan.missing') });
  const built = await build(project);
  expect(built.asked[0]).toBe('1 planner');
});

further(
  'rules and failed approaches are read from the store that the base names, not the working files',
  async () => {
    const project = newProject();
    const approach = { feature_id: 'TASK-001', approach: 'Guessing', why_it_failed: 'It was wrong' };
    const file = project.sandbox.write('approach.json', approach);
    const id = failedApproach.id?.(failedApproachSchema.parse(approach)) ?? '';
    const added = await project.guardkit(
      ['graphiti', 'add', 'failed_approaches', '--type', failedApproach.type, '--id', id, '--body', file],
      { person: true, input: 'y\n' },
    );
    expect(added.exitCode, added.stderr).toBe(0);
    const config = project.path('.guardkit/config.yaml');
    const elsewhere = 'store: {url: "postgresql://nobody@127.0.0.1:1/none"}\n';
    writeFileSync(config, `${readFileSync(config, 'utf8')}${elsewhere}`);
    const built = await project.build([docsTurn('guide')], ['--json-events']);
    expect(built.json.outcome, built.stderr).toBe('approved');
    const injected = BuildProject.events(built).flatMap((event) =>
      event.type === 'prompted' && event.role === 'player' ? event.injected : [],
    );
    expect(injected).toContain('failed approaches');
  },
);
