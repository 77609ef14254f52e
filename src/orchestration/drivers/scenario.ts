import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { readYamlFile, requireValid } from '../../config/yaml/yaml-file.ts';
import { workIdSchema } from '../../domain/entities/work-id.ts';
import { GuardKitError } from '../../guardkit-error.ts';

/** How a step may end instead of with an answer. */
export const STEP_FAILURES = ['crash', 'timeout', 'rate_limit', 'locked_out'] as const;

/** A file of the worktree. Links are looked at when it is written; these two can be seen in the text. */
const pathSchema = z.string().min(1).superRefine(checkPath);

const writeSchema = z.record(z.string(), z.string()).superRefine((files, context) => {
  for (const path of Object.keys(files)) checkPath(path, context, [path]);
});

const ending = {
  fail: z.enum(STEP_FAILURES).optional(),
  /** With `fail: rate_limit`: when the limit is said to be over. */
  resets_in_seconds: z.number().min(0).optional(),
  cost_usd: z.number().min(0).optional(),
};

/** What an agent says is not checked here: a scenario may show one that says nonsense. */
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
  /** What the planner answers. */
  plan: z.string().min(1).optional(),
  turns: z.array(turnSchema).min(1, 'at least one turn is expected').optional(),
};

/** The file of the `script` driver. */
export const scenarioSchema = z
  .strictObject({
    ...script,
    /** What the initializer does and answers, an attempt each; past the last one listed, that one repeats. */
    initializer: z.array(playerStepSchema).min(1).optional(),
    /** For a feature with several tasks; a task that is not here has the scenario's own turns and plan. */
    tasks: z.record(workIdSchema, z.strictObject(script)).optional(),
  })
  .superRefine(({ turns, tasks }, context) => {
    if (!turns && !tasks)
      context.addIssue({
        code: 'custom',
        path: ['turns'],
        message: 'a scenario has turns:, or tasks: with turns in them',
      });
  });

export type Scenario = z.infer<typeof scenarioSchema>;
export type PlayerStep = z.infer<typeof playerStepSchema>;
export type CoachStep = z.infer<typeof coachStepSchema>;

/** Reads a scenario; every fault in it is told with its place. */
export async function readScenario(file: string): Promise<Scenario> {
  const path = resolve(file);
  if (!existsSync(path))
    throw new GuardKitError({
      code: 'scenario.not-found',
      kind: 'input',
      message: `The scenario ${path} is not there.`,
      hint: 'Name the YAML file with the turns that the script driver is to play.',
    });
  return requireValid(await readYamlFile(path, scenarioSchema));
}

function checkPath(path: string, context: z.RefinementCtx, at: string[] = []): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: at, message });
  if (path.startsWith('/')) refuse('a path in the worktree is expected, not one from the root');
  if (path.split('/').includes('..')) refuse('a path in the worktree has no ".." in it');
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
      message: `it stands instead of a ${name}; take one of the two out`,
    });
  if (step.resets_in_seconds !== undefined && step.fail !== 'rate_limit')
    context.addIssue({
      code: 'custom',
      path: ['resets_in_seconds'],
      message: 'it belongs to fail: rate_limit',
    });
}
