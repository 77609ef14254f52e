import * as z from 'zod';

/** The part of a hook's answer that decides, in the forms of the supported agents. */
export const hookAnswerSchema = z.looseObject({
  decision: z.string().optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.string().optional(),
      permissionDecisionReason: z.string().optional(),
    })
    .optional(),
});
