import * as z from 'zod';
import { DRIVERS } from '../../../config/project/project-config.ts';
import { wholeNumber } from '../input/whole-number.ts';

const TURNS = 5;
const SECONDS = 3600;
const PROMPT_TOKENS = 40_000;

/** The schemas of the options below. */
export const maxTurns = wholeNumber(200, TURNS);
export const timeout = wholeNumber(86_400, SECONDS);
export const promptTokens = wholeNumber(1_000_000, PROMPT_TOKENS);

type Option = readonly [flags: string, summary: string];

export const MAX_TURNS_OPTION: Option = ['--max-turns <n>', `Turns per task (default: ${TURNS})`];
/** Of one agent run. */
export const RUN_LIMIT_OPTIONS: readonly Option[] = [
  ['--timeout <seconds>', `Time limit per agent run (default: ${SECONDS})`],
  ['--prompt-tokens <n>', `Prompt budget in tokens (default: ${PROMPT_TOKENS})`],
];
/** Of a build of one feature or task, for `buildInputSchema`. */
export const BUILD_OPTIONS: readonly Option[] = [
  ['--budget-usd <n>', 'Spending limit in USD'],
  ...RUN_LIMIT_OPTIONS,
  ['--base <ref>', 'Commit to build on (default: HEAD)'],
  ['--accept-red-baseline', 'Continue when tests already fail on the base commit'],
  ['--require-plan', 'If a task has no plan, fail instead of writing one'],
  ['--yes', 'Confirm detected commands if none are configured'],
];

export const usd = z
  .string()
  .regex(/^[0-9]{1,9}(?:\.[0-9]{1,6})?$/, 'expected an amount in US dollars, such as 5 or 2.50')
  .transform(Number)
  .refine((amount) => amount > 0, 'expected more than 0; omit it for no limit');

export const driver = z
  .enum(DRIVERS, { error: ({ input }) => `"${input}" is not a driver; use one of ${DRIVERS.join(', ')}` })
  .optional();

/** Input of a build of one feature or task. */
export const buildInputSchema = z.object({
  id: z.string().min(1),
  driver,
  coachDriver: driver,
  scenario: z.string().min(1).optional(),
  budgetUsd: usd.optional(),
  timeout,
  promptTokens,
  base: z.string().min(1).optional(),
  acceptRedBaseline: z.boolean().default(false),
  requirePlan: z.boolean().default(false),
  yes: z.boolean().default(false),
  verbose: z.boolean().default(false),
});

export type BuildInput = z.infer<typeof buildInputSchema>;
