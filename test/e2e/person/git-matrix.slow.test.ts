import { beforeAll, describe, expect, it } from 'vitest';
import { whyNoPersonBesideAgent } from '../../support/person-beside-agent.ts';
import { TIERS } from '../../support/protection-tiers.ts';
import { bash, DONE, type Points, type Step } from '../../support/scripted-claude.ts';
import { CONFLICT, GitMatrix, type GitOperation, OPERATIONS } from './git-operations.ts';

const MATRIX_MS = 480_000;
const BY_AGENT = OPERATIONS.filter(({ personOnly }) => !personOnly);

describe.skipIf(whyNoPersonBesideAgent()).each(TIERS)(
  'git gives the same result with and without GuardKit (tier: %s)',
  (tier) => {
    let matrix: GitMatrix;
    let differences: string[];
    beforeAll(async () => {
      matrix = await GitMatrix.start(tier);
      return () => matrix.world.end();
    });

    /** All operations by the person, compared after each command. */
    async function personRunsAll(): Promise<void> {
      for (const { name, commands } of [...OPERATIONS, CONFLICT]) {
        matrix.reset();
        for (const command of commands) {
          await matrix.world.person.run(command);
          differences.push(...matrix.compare(name, command));
        }
      }
    }

    /** Operations by the agent, compared after each command. */
    function agentRuns(
      operations: readonly GitOperation[],
      run: (command: string, id: string) => Step[] = (command) => [bash(command)],
    ): Step[] {
      return operations.flatMap(({ name, commands }) => [
        async () => matrix.reset(),
        ...commands.flatMap((command, index) => [
          ...run(command, `${name.replaceAll(' ', '-')}-${index}`),
          async () => void differences.push(...matrix.compare(name, command)),
        ]),
      ]);
    }

    it(
      'for the person while a command of the agent runs',
      async () => {
        differences = [];
        const points = matrix.world.points();
        const agent = await matrix.world.agent([bash(points.wait('running')), bash('true'), DONE], points);
        await agent.reached('running');
        await personRunsAll();
        await agent.finish('running');
        expect([...differences, ...matrix.differences('after the action')]).toEqual([]);
      },
      MATRIX_MS,
    );

    it(
      'for the person between actions',
      async () => {
        differences = [];
        const agent = await matrix.world.agent([bash('true'), personRunsAll, bash('true'), DONE]);
        await agent.ended;
        expect([...differences, ...matrix.differences('after the session')]).toEqual([]);
      },
      MATRIX_MS,
    );

    it(
      'for the agent’s commands',
      async () => {
        differences = [];
        const agent = await matrix.world.agent([...agentRuns(BY_AGENT), DONE]);
        await agent.ended;
        expect([...differences, ...matrix.differences('after the session')]).toEqual([]);
      },
      MATRIX_MS,
    );

    it(
      'for the agent’s commands in the background',
      async () => {
        differences = [];
        const points: Points = matrix.world.points();
        const run = (command: string, id: string): Step[] => [
          bash(`${command}; ${points.pass(id)}`, { run_in_background: true }),
          () => points.reached(id),
        ];
        const agent = await matrix.world.agent([...agentRuns(BY_AGENT, run), DONE], points);
        await agent.ended;
        expect([...differences, ...matrix.differences('after the session')]).toEqual([]);
      },
      MATRIX_MS,
    );

    it('and leaves no violation', () => {
      expect(matrix.world.entries('violation_recorded')).toEqual([]);
      expect(matrix.world.entries('file_restored')).toEqual([]);
    });

    it(
      'for a conflict in the agent’s merge, which the agent can abort',
      async () => {
        differences = [];
        const agent = await matrix.world.agent([...agentRuns([CONFLICT]), bash('git status --short'), DONE]);
        await agent.ended;
        expect([...differences, ...matrix.differences('after the session')]).toEqual([]);
      },
      MATRIX_MS,
    );
  },
);
