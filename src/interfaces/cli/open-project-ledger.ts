import { GuardKitError } from '../../guardkit-error.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { CliContext } from './program/cli-command.ts';

export interface ProjectLedger {
  ledger: Ledger;
  project: string;
  /** The data folder. */
  home: string;
}

/** The ledger of the project in this folder. */
export async function openProjectLedger(context: CliContext): Promise<ProjectLedger> {
  const { project, home } = await context.workspace();
  if (!project.known)
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: `GuardKit is not set up in this project: ${project.why}.`,
      hint: project.hint,
    });
  return { ledger: await context.ledger(), project: project.id, home };
}
