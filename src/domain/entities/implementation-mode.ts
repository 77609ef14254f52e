import * as z from 'zod';
import { complexityRangeSchema } from '../complexity.ts';
import { defineEntity } from './entity-type.ts';

export const implementationModeSchema = z.strictObject({
  mode: z.enum(['direct', 'task_work', 'autobuild']),
  complexity_range: complexityRangeSchema,
  ceremony_level: z.enum(['minimal', 'standard', 'full']),
  invocation_method: z.enum(['inline', 'sdk_query', 'orchestrated']),
  result_location_pattern: z.string().min(1),
  state_recovery_strategy: z.enum(['git_check_first', 'resume_from_checkpoint']),
  when_to_use: z.array(z.string().min(1)),
  pitfalls: z.array(z.string().min(1)),
});

export type ImplementationMode = z.infer<typeof implementationModeSchema>;

export const implementationMode = defineEntity<ImplementationMode>({
  type: 'implementation_mode',
  groups: ['implementation_modes'],
  schema: implementationModeSchema,
  id: (body) => `MODE-${body.mode}`,
  name: (body) => `Implementation mode: ${body.mode}`,
  text: (body) =>
    [
      `implementation_mode ${body.mode} complexity ${body.complexity_range.join('-')}: ` +
        `ceremony_level=${body.ceremony_level} invocation_method=${body.invocation_method} ` +
        `state_recovery_strategy=${body.state_recovery_strategy} result_location_pattern=${body.result_location_pattern}`,
      `when_to_use: ${body.when_to_use.join('; ')}`,
      `pitfalls: ${body.pitfalls.join('; ')}`,
    ].join('\n'),
  indexed: ['mode', 'ceremony_level'],
  freeText: ['when_to_use', 'pitfalls'],
});

export const DEFAULT_IMPLEMENTATION_MODES: readonly ImplementationMode[] = [
  {
    mode: 'direct',
    complexity_range: [1, 3],
    ceremony_level: 'minimal',
    invocation_method: 'inline',
    result_location_pattern: '{worktree_path}/',
    state_recovery_strategy: 'git_check_first',
    when_to_use: ['Simple file operations', 'Configuration changes', 'Documentation updates'],
    pitfalls: ['Not for complex implementations', 'Check git status first'],
  },
  {
    mode: 'task_work',
    complexity_range: [3, 7],
    ceremony_level: 'standard',
    invocation_method: 'sdk_query',
    result_location_pattern: '{worktrees_root}/{feature_id}/',
    state_recovery_strategy: 'resume_from_checkpoint',
    when_to_use: ['Feature work that needs quality gates', 'Multi-file changes'],
    pitfalls: [
      "The Claude driver calls the Agent SDK's query() and starts no subprocess of its own (ADR-FB-001)",
      'The worktree and the branch have the id of the feature, not of the task (ADR-FB-002)',
      'A plan comes before the work; if there is none, a planner writes it (ADR-FB-003)',
    ],
  },
  {
    mode: 'autobuild',
    complexity_range: [5, 10],
    ceremony_level: 'full',
    invocation_method: 'orchestrated',
    result_location_pattern: '{worktrees_root}/{feature_id}/',
    state_recovery_strategy: 'resume_from_checkpoint',
    when_to_use: ['Complex work that takes a Player and a Coach several turns'],
    pitfalls: ['Requires a feature plan', 'Do not mix with manual edits while it runs'],
  },
];
