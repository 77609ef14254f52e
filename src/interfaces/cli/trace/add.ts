import * as z from 'zod';
import { TRACE_TYPES, type TraceType } from '../../../domain/entities/trace.ts';
import { parseReportedTrace, recordTrace } from '../../../learning/traces/record-trace.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openTraces } from './open-traces.ts';

export const add = defineCommand({
  name: 'add',
  summary: 'Record a violation, correction, decision or approval',
  arguments: [['<what>', 'What happened, in one sentence']],
  options: [
    ['--type <type>', `${TRACE_TYPES.join(', ')} (default: correction)`],
    ['--correct <text>', 'What should have happened'],
    ['--why <text>', 'Why that would have been correct'],
    ['--guard <guard>', 'Related guard'],
    ['--feature <feature>', 'Related feature'],
    ['--task <task>', 'Related task'],
    ['--agent <agent>', 'Type of the agent that did it'],
  ],
  changes: true,
  schema: z.object({
    what: z.string().trim().min(1, 'describe what happened').max(2000),
    type: z.enum(TRACE_TYPES).default('correction'),
    correct: z.string().max(2000).default(''),
    why: z.string().max(2000).default(''),
    guard: z.string().min(1).optional(),
    feature: z.string().min(1).optional(),
    task: z.string().min(1).optional(),
    agent: z.string().min(1).optional(),
    dryRun: z.boolean().default(false),
  }),
  run: runAdd,
});

interface AddInput {
  what: string;
  type: TraceType;
  correct: string;
  why: string;
  guard?: string | undefined;
  feature?: string | undefined;
  task?: string | undefined;
  agent?: string | undefined;
  dryRun: boolean;
}

/** Only a person's report counts as a correction; any other caller is recorded as an agent. */
async function runAdd(context: CliContext, input: AddInput): Promise<Report> {
  const { ledger, project, memory } = await openTraces(context);
  const { what, type, correct, why, guard, feature, task, agent, dryRun } = input;
  const telling = {
    type,
    context: {
      ...(agent === undefined ? {} : { agent }),
      ...(feature === undefined ? {} : { feature }),
      ...(task === undefined ? {} : { task }),
    },
    event: { what_happened: what, what_was_correct: correct, why },
    guard: guard ?? null,
  };
  const source = context.findPerson().present ? 'user_correction' : 'agent';
  if (dryRun) {
    parseReportedTrace(telling);
    return { json: { source, recorded: false }, text: `would record this ${type}, from: ${source}` };
  }
  const { id } = recordTrace(ledger, project, telling, source);
  const { notices } = await memory();
  return {
    json: { id, source, recorded: true },
    text: `recorded ${id}, from: ${source.replace('_', ' ')}`,
    notices,
  };
}
