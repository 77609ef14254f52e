import { homedir } from 'node:os';
import { readProjectConfig } from '../../../config/project/project-config.ts';
import { requireValid } from '../../../config/yaml/yaml-file.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { type LearningSettings, learningSettings } from '../../../learning/learning-settings.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { deliverToMemory } from '../../../store/ledger/outbox/deliver-to-memory.ts';
import type { CliContext } from '../program/cli-command.ts';

export interface OpenLearning {
  ledger: Ledger;
  project: string;
  root: string;
  home: string;
  now: number;
  settings: LearningSettings;
}

/** Everything that learning needs of the current project. */
export async function openLearning(context: CliContext): Promise<OpenLearning> {
  const { project, root } = await context.workspace();
  if (!project.known || root === undefined)
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: `GuardKit is not set up in this project: ${project.known ? 'this folder is not in a git repository' : project.why}.`,
      hint: project.known ? 'Run the command inside the project.' : project.hint,
    });
  const config = requireValid(await readProjectConfig(root));
  return {
    ledger: await context.ledger(),
    project: project.id,
    root,
    home: context.env.HOME || homedir(),
    now: systemClock(),
    settings: learningSettings(config.learning),
  };
}

/** Memory, with everything recorded so far. */
export async function upToDateStore(context: CliContext, ledger: Ledger): Promise<EpisodeStore> {
  const { store: settings } = await context.workspace();
  const away = await deliverToMemory(ledger, settings);
  if (away !== undefined)
    throw new GuardKitError({
      code: 'store.away',
      kind: 'outside',
      message: `Learning needs memory: ${away}`,
      hint: 'Check it with `guardkit memory status`.',
    });
  return context.store();
}

/** The caller: a person at a terminal, or a program that may be an agent. */
export function proposer(context: CliContext, name: string): { by: string; person: boolean } {
  const person = context.findPerson().present;
  return { by: person ? name : 'a program', person };
}
