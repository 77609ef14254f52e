import { isAuthorUnknown } from '../../../domain/entities/trace.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { FoundTrace } from '../../../learning/traces/query-traces.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { deliverToMemory } from '../../../store/ledger/outbox/deliver-to-memory.ts';
import type { CliContext } from '../program/cli-command.ts';

export interface OpenTraces {
  ledger: Ledger;
  project: string;
  /** Delivers records to memory first; problems become notices. */
  memory(): Promise<{ store: EpisodeStore; notices: string[] }>;
}

/** Opens this project's traces. */
export async function openTraces(context: CliContext): Promise<OpenTraces> {
  const { project, store: settings } = await context.workspace();
  if (!project.known)
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: `Traces belong to a project; ${project.why}.`,
      hint: project.hint,
    });
  const ledger = await context.ledger();
  return {
    ledger,
    project: project.id,
    memory: async () => {
      const away = ledger.outbox.status().pending > 0 ? await deliverToMemory(ledger, settings) : undefined;
      return { store: await context.store(), notices: away === undefined ? [] : [away] };
    },
  };
}

/** A trace in one line, without the event. */
export function traceHead(trace: FoundTrace): string {
  const { id, timestamp, type, outcome, context, guard, score } = trace;
  const where = [context.feature, context.task].filter((one) => one !== null).join('/');
  return [
    score === undefined ? '' : `[${score.toFixed(2)}] `,
    `${timestamp.slice(0, 16).replace('T', ' ')} ${type} ${outcome.replace('_', ' ')}`,
    guard === null ? '' : ` ${guard}`,
    isAuthorUnknown(trace) ? ` while ${context.agent} ran [author unknown]` : ` by ${context.agent}`,
    where === '' ? '' : ` in ${where}`,
    `  ${id}`,
  ].join('');
}
