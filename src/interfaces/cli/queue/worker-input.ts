import { resolve } from 'node:path';
import * as z from 'zod';
import { DRIVERS } from '../../../config/project/project-config.ts';
import {
  driver,
  MAX_TURNS_OPTION,
  maxTurns,
  promptTokens,
  RUN_LIMIT_OPTIONS,
  timeout,
} from '../feature-build/build-input.ts';
import { wholeNumber } from '../input/whole-number.ts';
import type { DescribedOption } from '../program/cli-command.ts';

/** How agents are run; also passed on to the processes of a worker. */
export const AGENT_OPTIONS: readonly DescribedOption[] = [
  ['--driver <name>', `Player driver: ${DRIVERS.join(', ')}`],
  ['--coach-driver <name>', 'Coach driver (default: the Player’s)'],
  ['--scenario <file>', 'Scenario file for the script driver'],
  MAX_TURNS_OPTION,
  ...RUN_LIMIT_OPTIONS,
  ['--accept-red-baseline', 'Continue when tests already fail on the base commit'],
];

export const workerInputSchema = z.object({
  concurrency: wholeNumber(100, 2),
  project: z.array(z.string().min(1)).max(100).default([]),
  untilEmpty: z.boolean().default(false),
  driver,
  coachDriver: driver,
  scenario: z.string().min(1).optional(),
  maxTurns,
  timeout,
  promptTokens,
  acceptRedBaseline: z.boolean().default(false),
  verbose: z.boolean().default(false),
  jsonEvents: z.boolean().default(false),
});

export type WorkerInput = z.infer<typeof workerInputSchema>;

/** The same options as arguments of another process. */
export function agentArguments(input: WorkerInput): string[] {
  const { driver: player, coachDriver, scenario, maxTurns, timeout, promptTokens } = input;
  return [
    ...(player ? ['--driver', player] : []),
    ...(coachDriver ? ['--coach-driver', coachDriver] : []),
    ...(scenario ? ['--scenario', resolve(scenario)] : []),
    ...[
      '--max-turns',
      String(maxTurns),
      '--timeout',
      String(timeout),
      '--prompt-tokens',
      String(promptTokens),
    ],
    ...(input.acceptRedBaseline ? ['--accept-red-baseline'] : []),
    ...(input.untilEmpty ? ['--until-empty'] : []),
    ...(input.verbose ? ['--verbose'] : []),
    ...(input.jsonEvents ? ['--json-events'] : []),
  ];
}
