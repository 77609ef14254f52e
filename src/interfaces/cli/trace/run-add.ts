import type { TraceType } from '../../../domain/entities/trace.ts';
import { readTelling, recordTrace } from '../../../learning/traces/record-trace.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { openTraces } from './open-traces.ts';

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

/** A person's word counts as a correction; whoever cannot be told to be one has an agent's, which proves nothing. */
export async function runAdd(context: CliContext, input: AddInput): Promise<Report> {
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
    readTelling(telling);
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
