import * as z from 'zod';

/** The part of a hook's answer that decides; Claude Code and Codex have it in common. */
export const hookAnswerSchema = z.looseObject({
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.string().optional(),
      permissionDecisionReason: z.string().optional(),
    })
    .optional(),
});
