import { hash } from 'node:crypto';
import type { ProjectConfig } from '../../config/project/project-config.ts';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import type { FailedApproach } from '../../domain/entities/failed-approach.ts';
import type { Base } from '../../verification/definition/find-base.ts';
import type { Definition } from '../../verification/definition/load-definition.ts';
import { type FeatureVerification, openFeatureVerification } from '../../verification/open-verification.ts';
import type { BuildSettings } from '../feature-build/build-context.ts';
import type { SessionLimits } from '../session/session.ts';
import type { SessionFilesContext } from '../session-record/apply-event.ts';
import type { RunDetails } from './run-details.ts';
import type { RunEvent } from './run-event.ts';

/** The settings of a run, from the base, the configuration and the command line. */
export interface RunSettings
  extends Omit<
    BuildSettings,
    | 'definition'
    | 'listed'
    | 'verify'
    | 'sources'
    | 'failedApproaches'
    | 'budgetUsd'
    | 'signal'
    | 'emit'
    | 'afterTurn'
  > {
  /** The configuration on the base. */
  config: ProjectConfig;
  /** The person's last commit, with the provenance of its definitions. */
  base: Base;
  sessionFiles: SessionFilesContext;
  limits: SessionLimits;
  /** Brief to generate features from, if the project has none. */
  brief: { name: string; text: string } | undefined;
  /** The brief was named on the command line, so a notice is shown if it is not read. */
  briefNamed: boolean;
  signal: AbortSignal;
  /** How a person continues after an error (default: `guardkit run`). */
  resumeCommand?: string;
  /** The commands for a definition; never asks a person. */
  commandsFor(definition: Definition): Promise<VerifyConfig>;
  /** Failed approaches to a feature, from memory. */
  failedApproachesOf(feature: string): Promise<FailedApproach[]>;
  /** Called after each turn, for example to prune old ones. */
  tidyUp?(definition: Definition): Promise<void>;
  emit(event: RunEvent): void;
}

/** How a feature is judged against a commit of the run. */
export function openAt(run: RunSettings, base: Base, id: string): Promise<FeatureVerification> {
  const { project, ledger, repository, store, acceptances, commandsFor } = run;
  return openFeatureVerification({ project, ledger, repository, store, acceptances, id, base, commandsFor });
}

/** A commit of the run as a base. Definitions that GuardKit wrote for the run count as a person's. */
export function asBase(
  { base }: Pick<RunSettings, 'base'>,
  { own }: Pick<RunDetails, 'own'>,
  commit: string,
  why: string,
): Base {
  if (!base.provenance) return { commit, why };
  const { commits, provenance } = base.provenance;
  const isOwn = (path: string, content: Uint8Array | undefined) =>
    content !== undefined && Object.hasOwn(own, path) && own[path] === hash('sha256', content);
  return {
    commit,
    why,
    provenance: {
      commits,
      provenance: {
        ...provenance,
        isPersons: (path, content) => isOwn(path, content) || provenance.isPersons(path, content),
        isProposed: (path, content, isAfter) =>
          !isOwn(path, content) && provenance.isProposed(path, content, isAfter),
        isReplaced: (path, content, by) => !isOwn(path, content) && provenance.isReplaced(path, content, by),
      },
    },
  };
}
