import * as z from 'zod';
import { defineEntity } from './entity-type.ts';

export const ROLES = ['player', 'coach'] as const;

const statements = z.array(z.string().min(1));

export const roleConstraintsSchema = z.strictObject({
  role: z.enum(ROLES),
  must_do: statements,
  must_not_do: statements,
  ask_before: statements,
  escalate_when: statements,
});

export type RoleConstraints = z.infer<typeof roleConstraintsSchema>;

export const roleConstraints = defineEntity<RoleConstraints>({
  type: 'role_constraints',
  groups: ['role_constraints'],
  schema: roleConstraintsSchema,
  id: (body) => `ROLE-${body.role}`,
  name: (body) => `Role constraints: ${body.role}`,
  text: (body) =>
    [
      `role_constraints ${body.role}`,
      `must_do: ${body.must_do.join('; ')}`,
      `must_not_do: ${body.must_not_do.join('; ')}`,
      `ask_before: ${body.ask_before.join('; ')}`,
      `escalate_when: ${body.escalate_when.join('; ')}`,
    ].join('\n'),
  indexed: ['role'],
  freeText: ['must_do', 'must_not_do', 'ask_before', 'escalate_when'],
});

export const DEFAULT_ROLE_CONSTRAINTS: readonly RoleConstraints[] = [
  {
    role: 'player',
    must_do: [
      'Implement code to meet the acceptance criteria',
      'Follow the implementation plan',
      'Write tests for what it implements',
      'Report blockers with evidence',
    ],
    must_not_do: [
      'Validate quality gates',
      'Make architectural decisions without an ADR',
      'Modify quality profiles or thresholds',
      'Ask for human guidance mid-feature',
    ],
    ask_before: [
      'Changing the architecture from the plan',
      'Modifying external dependencies',
      'Skipping acceptance criteria',
    ],
    escalate_when: [],
  },
  {
    role: 'coach',
    must_do: [
      'Validate against the acceptance criteria',
      'Judge on the quality-gate results',
      'Provide actionable feedback',
      'Track acceptance-criteria status',
    ],
    must_not_do: [
      'Write implementation code',
      'Modify the implementation directly',
      'Make implementation decisions',
      'Change acceptance criteria mid-task',
    ],
    ask_before: [],
    escalate_when: [
      'Test failures persist after 3 attempts',
      'Architecture violations are detected',
      'Acceptance criteria cannot be met as written',
    ],
  },
];
