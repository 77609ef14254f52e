import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { readYamlFile, requireValid } from '../../config/yaml/yaml-file.ts';
import { workIdSchema } from '../../domain/entities/work-id.ts';
import { GuardKitError } from '../../guardkit-error.ts';

/** How a step can end without an answer. */
export const STEP_FAILURES = ['crash', 'timeout', 'rate_limit', 'locked_out'] as const;

/** A path in the worktree. Links are checked when the file is written. */
const pathSchema = z.string().min(1).superRefine(checkPath);

const writeSchema = z.record(z.string(), z.string()).superRefine((files, context) => {
  for (const path of Object.keys(files)) checkPath(path, context, [path]);
});

const ending = {
  fail: z.enum(STEP_FAILURES).optional(),
  /** With `fail: rate_limit`: when the limit ends. */
  resets_in_seconds: z.number().min(0).optional(),
  cost_usd: z.number().min(0).optional(),
};

/** Not validated: a scenario may contain an invalid answer on purpose. */
const answerSchema = z.unknown().optional();

const playerStepSchema = z
  .strictObject({
    write: writeSchema.optional(),
    delete: z.array(pathSchema).optional(),
    run: z.array(z.string().min(1)).optional(),
    report: answerSchema,
    ...ending,
  })
  .superRefine((step, context) => checkEnding(step, step.report, 'report', context));

const coachStepSchema = z
  .strictObject({ verdict: answerSchema, ...ending })
  .superRefine((step, context) => checkEnding(step, step.verdict, 'verdict', context));

const turnSchema = z.strictObject({ player: playerStepSchema.optional(), coach: coachStepSchema.optional() });

const script = {
  /** The planner's answer. */
  plan: z.string().min(1).optional(),
  turns: z.array(turnSchema).min(1, 'expected at least one turn').optional(),
};

/** The file of the `script` driver. */
export const scenarioSchema = z
  .strictObject({
    ...script,
    /** One step per initializer attempt; the last one repeats. */
    initializer: z.array(playerStepSchema).min(1).optional(),
    /** Turns and plan per task; other tasks use the scenario's own. */
    tasks: z.record(workIdSchema, z.strictObject(script)).optional(),
  })
  .superRefine(({ turns, tasks }, context) => {
    if (!turns && !tasks)
      context.addIssue({
        code: 'custom',
        path: ['turns'],
        message: 'expected turns:, or tasks: with turns',
      });
  });

export type Scenario = z.infer<typeof scenarioSchema>;
export type PlayerStep = z.infer<typeof playerStepSchema>;
export type CoachStep = z.infer<typeof coachStepSchema>;

/** Reads a scenario; faults are reported with line and column. */
export async function readScenario(file: string): Promise<Scenario> {
  const path = resolve(file);
  if (!existsSync(path))
    throw new GuardKitError({
      code: 'scenario.not-found',
      kind: 'input',
      message: `No scenario at ${path}.`,
      hint: 'Give the path of the YAML file with the turns for the script driver.',
    });
  return requireValid(await readYamlFile(path, scenarioSchema));
}

function checkPath(path: string, context: z.RefinementCtx, at: string[] = []): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: at, message });
  if (path.startsWith('/')) refuse('expected a path relative to the worktree, not an absolute path');
  if (path.split('/').includes('..')) refuse('a path must not contain ".."');
}

function checkEnding(
  step: { fail?: string | undefined; resets_in_seconds?: number | undefined },
  answer: unknown,
  name: 'report' | 'verdict',
  context: z.RefinementCtx,
): void {
  if (answer !== undefined && step.fail !== undefined && step.fail !== 'rate_limit')
    context.addIssue({
      code: 'custom',
      path: ['fail'],
      message: `fail replaces the ${name}; remove one of the two`,
    });
  if (step.resets_in_seconds !== undefined && step.fail !== 'rate_limit')
    context.addIssue({
      code: 'custom',
      path: ['resets_in_seconds'],
      message: 'allowed only with fail: rate_limit',
    });
}
