import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyTemplate } from '../../config/project/config-templates.ts';
import { detectVerify } from '../../config/project/detect-verify.ts';
import { projectConfigSchema } from '../../config/project/project-config.ts';
import { readYamlFile } from '../../config/yaml/yaml-file.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { projectFeatures } from '../../enforcement/feature-list/project-features.ts';
import { acceptOwnWrites } from '../../enforcement/watch/own-writes.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { Repository } from '../../platform/git/repository.ts';
import { readFeatures } from '../../store/ledger/tables/feature-table.ts';
import { criteriaFaults, dependencyFaults } from '../session/feature-faults.ts';
import type { SessionContext } from './session-context.ts';
import { keepCommit } from './set-aside-abandoned-work.ts';
import { openInCheckout } from './verify-in-checkout.ts';

export type Initialized = { ok: true; base: string } | { ok: false; faults: string[] };

const NO_TESTS =
  'No test command was detected. Set up the project so that one command runs the tests, such as a `test` script in package.json.';

/**
 * Checks the initializer's work and commits it as the session's base. Writes a detected test command into the
 * configuration if it has none.
 */
export async function finishInitializer(context: SessionContext, session: string): Promise<Initialized> {
  const { ledger, project, checkout, list, changedBy } = context;
  await projectFeatures(list, changedBy, { create: false });
  const features = readFeatures(ledger, project);
  const faults = [...listFaults(features), ...((await nameTests(context)) ? [] : [NO_TESTS])];
  const [first] = features;
  if (faults.length > 0 || !first) return { ok: false, faults };
  const repository = await Repository.open(checkout);
  const base = await keepCommit(repository, `sessions/${session}/base`, 'Base of the session');
  const why = await whyUnverifiable(context, base, first.id);
  return why === undefined ? { ok: true, base } : { ok: false, faults: [why] };
}

/** Checked now: otherwise it would show only after the first feature is built. */
async function whyUnverifiable(
  context: SessionContext,
  commit: string,
  feature: string,
): Promise<string | undefined> {
  try {
    await openInCheckout(context, { commit, made: true }, feature, { fromItsStart: false });
    return undefined;
  } catch (error) {
    if (!(error instanceof GuardKitError) || error.kind === 'outside') throw error;
    return `${error.message} ${error.hint}`;
  }
}

/** Whether the configuration has a test command, before or after this call. */
async function nameTests({ checkout, watch }: SessionContext): Promise<boolean> {
  const file = join(checkout, '.guardkit', 'config.yaml');
  const read = await readYamlFile(file, projectConfigSchema);
  if (!read.ok) return false;
  if (read.value.verify?.tests) return true;
  const detected = detectVerify(checkout);
  if (!detected) return false;
  // Keep an existing section.
  if (read.value.verify !== undefined) return true;
  const text = readFileSync(file, 'utf8');
  writeFileAtomic(file, `${text.replace(/\n*$/, '\n')}\n${verifyTemplate({ verify: detected.verify })}`);
  acceptOwnWrites(watch, [file]);
  return true;
}

const MAX_FAULTS = 30;

/** Faults of a feature list, one line each. */
export function listFaults(features: readonly Feature[]): string[] {
  if (features.length === 0) return ['.claude/progress/feature-list.json has no features or cannot be read.'];
  return [...features.flatMap((one) => featureFaults(one)), ...dependencyFaults(features)].slice(
    0,
    MAX_FAULTS,
  );
}

function featureFaults({ id, name, description, acceptance_criteria: criteria, tasks }: Feature): string[] {
  const isSilent = name === '' && description.trim() === '';
  // Its tasks have the criteria.
  const isInTasks = criteria.length === 0 && tasks.length > 0;
  return [
    ...(isSilent ? [`${id} has neither a name nor a description. Describe it.`] : []),
    ...(isInTasks
      ? []
      : criteriaFaults(
          id,
          criteria.map(({ text }) => text),
        )),
  ];
}
