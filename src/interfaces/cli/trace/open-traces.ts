import { GuardKitError } from '../../../guardkit-error.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { deliverToMemory } from '../../../store/ledger/outbox/deliver-to-memory.ts';
import type { CliContext } from '../program/cli-command.ts';

export interface OpenTraces {
  ledger: Ledger;
  project: string;
  /** Brings what is recorded to memory first; what stands in the way is said. */
  memory(): Promise<{ store: EpisodeStore; notices: string[] }>;
}

/** Where the traces of this project are. */
export async function openTraces(context: CliContext): Promise<OpenTraces> {
  const { project, store: settings } = await context.workspace();
  if (!project.known)
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: `Traces belong to a project, and ${project.why}.`,
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
