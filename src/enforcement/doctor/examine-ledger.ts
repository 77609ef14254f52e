import type { Ledger } from '../../store/ledger/ledger.ts';
import { unsignedRecords } from '../../store/ledger/signing/adopt-records.ts';
import { differingFeatures, readFeatures } from '../../store/ledger/tables/feature-table.ts';
import { featuresWithoutEvidence } from '../../store/ledger/tables/features-without-evidence.ts';
import { differingGuards } from '../../store/ledger/tables/learned-guards-chain.ts';
import { openActions, readActions, watchTables } from '../actions/open-actions.ts';
import { type DoctorCheck, failedCheck } from './doctor-check.ts';

/** Whether the ledger's chain is intact, and the tables derived from it match. */
export function examineLedger(ledger: Ledger, project: string, checkout: string): DoctorCheck[] {
  const chain = examineChain(ledger, project);
  return [
    chain,
    ...(chain.outcome === 'pass'
      ? [
          ...examineRecords(ledger, project),
          attempt('features', () => examineFeatures(ledger, project)),
          ...examineLearned(ledger, project),
        ]
      : []),
    attempt('actions', () => examineActions(ledger, checkout)),
  ];
}

function examineChain(ledger: Ledger, project: string): DoctorCheck {
  return attempt('ledger', () => {
    const verdict = ledger.verify(project);
    if (verdict.ok)
      return {
        id: 'ledger',
        outcome: 'pass',
        found: `${verdict.entries === 1 ? '1 entry' : `${verdict.entries} entries`} of ${project}, chain intact`,
      };
    return {
      id: 'ledger',
      outcome: 'fail',
      found: `entry ${verdict.number} of ${project} was changed: ${verdict.reason}`,
      hint: `Another program changed ${ledger.path}. Restore it from a backup; later entries prove nothing.`,
    };
  });
}

/** Reported only if there is a foreign one. */
function examineRecords(ledger: Ledger, project: string): DoctorCheck[] {
  const check = attempt('records', () => {
    const foreign = [...unsignedRecords(ledger.file, project)];
    if (foreign.length === 0) return { id: 'records', outcome: 'pass', found: 'all signed by this machine' };
    const named = foreign.slice(0, 5).map(({ number, kind }) => `${number} (${kind})`);
    return {
      id: 'records',
      outcome: 'fail',
      found: `not signed by this machine, so ignored: ${named.join(', ')}${foreign.length > 5 ? ` and ${foreign.length - 5} more` : ''}`,
      hint:
        'Another program wrote to the ledger, or the key was replaced. Restore a backup, or, if the records are yours, ' +
        'run `guardkit ledger adopt` in your own terminal.',
    };
  });
  return check.outcome === 'pass' ? [] : [check];
}

function examineFeatures(ledger: Ledger, project: string): DoctorCheck {
  const differing = differingFeatures(ledger, project);
  if (differing.length > 0)
    return {
      id: 'features',
      outcome: 'fail',
      found: `the table differs from the ledger’s entries for ${differing.slice(0, 5).join(', ')}`,
      hint: 'Run `guardkit doctor --fix` to rebuild the table.',
    };
  const groundless = featuresWithoutEvidence(ledger, project);
  if (groundless.length > 0)
    return {
      id: 'features',
      outcome: 'fail',
      found: `tested without a signed verification: ${groundless.slice(0, 5).join(', ')}`,
      hint: 'Run `guardkit verify` for them.',
    };
  const features = readFeatures(ledger, project);
  const tested = features.filter((one) => one.tested).length;
  return {
    id: 'features',
    outcome: 'pass',
    found: `${features.length} known, ${tested} tested, matching the ledger`,
  };
}

/** Reported only if the table differs: other commands list learned guards. */
function examineLearned(ledger: Ledger, project: string): DoctorCheck[] {
  const check = attempt('learned guards', () => {
    const differing = differingGuards(ledger, project);
    const found =
      differing.length === 0
        ? 'matching the ledger'
        : `the table differs from the ledger’s entries for ${differing.slice(0, 5).join(', ')}`;
    const hint = 'Run `guardkit doctor --fix` to rebuild the table.';
    return differing.length === 0
      ? { id: 'learned guards', outcome: 'pass', found }
      : { id: 'learned guards', outcome: 'fail', found, hint };
  });
  return check.outcome === 'pass' ? [] : [check];
}

function examineActions(ledger: Ledger, checkout: string): DoctorCheck {
  const tables = watchTables(ledger);
  const isHere = (one: { checkout: string }) => one.checkout === checkout;
  const open = openActions(tables).filter(isHere).length;
  const orphaned =
    readActions(tables).filter((one) => isHere(one) && one.body.ended_at === undefined).length - open;
  if (open > 0) return { id: 'actions', outcome: 'pass', found: `${open} running here` };
  return orphaned === 0
    ? { id: 'actions', outcome: 'pass', found: 'no agent is acting here' }
    : { id: 'actions', outcome: 'absent', found: `${orphaned} never finished; their agents have exited` };
}

function attempt(id: string, examine: () => DoctorCheck): DoctorCheck {
  try {
    return examine();
  } catch (error) {
    return failedCheck(id, error);
  }
}
