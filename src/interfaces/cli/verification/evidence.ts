import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { findWork } from '../../../config/work/find-work.ts';
import { describeEvidence, type Evidence } from '../../../domain/entities/evidence.ts';
import { type Verification, verificationSchema } from '../../../domain/entities/verification.ts';
import { sha256 } from '../../../domain/json/json.ts';
import { didYouMean, nearestWord } from '../../../domain/nearest-word.ts';
import { OUTSIDE_THE_TREE } from '../../../domain/protection/project-paths.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { snapshotTree } from '../../../platform/git/git-tree.ts';
import { readFeature } from '../../../store/ledger/tables/feature-table.ts';
import { GATES } from '../../../verification/gates/gates.ts';
import { openVerification, type VerificationContext } from '../../../verification/open-verification.ts';
import { readEvidence } from '../../../verification/runs/record-evidence.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openWork } from '../task/open-work.ts';
import { personName, requirePerson } from './person-name.ts';

export const evidence = defineCommand({
  name: 'evidence',
  summary: 'List evidence, or vouch for a gate that cannot run',
  arguments: [['<id>', 'Feature (FEAT-…) or task (TASK-…)']],
  options: [
    ['--vouch <gate>', 'Record manual evidence for this gate (person only)'],
    ['--reason <text>', 'With --vouch: what you checked'],
  ],
  changes: true,
  schema: z
    .object({
      id: z.string().min(1),
      vouch: z.string().min(1).optional(),
      reason: z.string().optional(),
      dryRun: z.boolean().default(false),
    })
    .refine(({ vouch, reason }) => vouch === undefined || (reason ?? '').trim() !== '', {
      path: ['reason'],
      message: 'manual evidence needs a reason: describe what you checked',
    }),
  run: runEvidence,
});

interface EvidenceInput {
  id: string;
  vouch?: string | undefined;
  reason?: string | undefined;
  dryRun: boolean;
}

type Dated<Value> = Value & { at: string };

async function runEvidence(context: CliContext, input: EvidenceInput): Promise<Report> {
  if (input.vouch !== undefined && !input.dryRun) requirePerson(context, 'vouch for a gate');
  const workspace = await context.workspace();
  const opened = await openVerification(workspace, context);
  const ledger = await context.ledger();
  const tree = await snapshotTree(opened.repository, OUTSIDE_THE_TREE);
  const own = ({ feature_id, task_id }: Pick<Evidence, 'feature_id' | 'task_id'>) =>
    feature_id === input.id || task_id === input.id;
  const known = readEvidence(ledger, opened.project).filter(own);
  const verifications = ledger
    .entries(opened.project, { kind: 'verification_recorded' })
    .map(({ body, at }) => ({ ...verificationSchema.parse(body), at }))
    .filter(own);
  const isRecorded = known.length > 0 || verifications.length > 0;
  // A typo would be shown as not verified yet and then vouched for.
  if (!isRecorded && !readFeature(ledger, opened.project, input.id))
    findWork((await openWork(context)).work, input.id);
  if (input.vouch !== undefined) {
    const manual = manualEvidence(input, opened, tree, known, personName(context.env));
    if (!input.dryRun) ledger.append(opened.project, 'evidence_recorded', manual);
    return {
      json: { recorded: !input.dryRun, evidence: manual },
      text: `${input.dryRun ? 'would record' : 'recorded'} manual evidence ${manual.id} for ${manual.check} on tree ${tree.slice(0, 12)}`,
    };
  }
  return listed(input.id, tree, known, verifications);
}

function manualEvidence(
  { id, vouch = '', reason = '' }: EvidenceInput,
  { base }: VerificationContext,
  tree: string,
  known: readonly Evidence[],
  by: string,
): Evidence {
  const gates = GATES.map(({ name }) => name);
  if (!gates.includes(vouch)) {
    const meant = nearestWord(vouch, gates);
    throw new GuardKitError({
      code: 'gate.unknown',
      kind: 'input',
      message: `No gate "${vouch.slice(0, 60)}".${didYouMean(meant)}`,
      hint: `Gates: ${gates.join(', ')}.`,
    });
  }
  const earlier = known.at(-1);
  const text = `vouched: ${reason}`;
  return {
    id: `EV-${randomBytes(6).toString('hex')}`,
    feature_id: earlier?.feature_id ?? id,
    task_id: earlier && earlier.feature_id !== id ? id : null,
    check: vouch,
    tree,
    tree_is: 'candidate',
    base_commit: base.commit,
    manual: true,
    reason,
    by,
    command: '',
    command_hash: sha256(text),
    exit: null,
    signal: null,
    timed_out: false,
    tests: null,
    coverage: null,
    found: text,
    output_digest: sha256(''),
    output_bytes: 0,
    output_tail: '',
    sandbox: null,
    network: 'host',
    duration_ms: 0,
  };
}

function listed(
  id: string,
  tree: string,
  evidence: readonly Dated<Evidence>[],
  verifications: readonly Dated<Verification>[],
): Report {
  const last = verifications.at(-1);
  const stale = (of: string) => of !== tree;
  const tested = last?.outcome === 'pass' && !stale(last.tree);
  return {
    json: {
      id,
      tree,
      tested,
      verification: last ? { ...last, stale: stale(last.tree) } : null,
      evidence: evidence.map((one) => ({ ...one, stale: one.tree_is === 'candidate' && stale(one.tree) })),
    },
    text: [
      last
        ? `${id}: ${tested ? 'tested' : 'not tested'} at tree ${tree.slice(0, 12)}; last verified ${last.at}: ${last.outcome}${stale(last.tree) ? ', stale: the files have changed since' : ''}`
        : `${id}: not verified yet; run \`guardkit verify ${id}\`.`,
      ...evidence.map((one) => {
        const age = one.tree_is === 'candidate' ? (stale(one.tree) ? 'stale' : 'current') : 'base';
        const how = one.manual ? `manual, by ${one.by}: ${one.reason}` : describeEvidence(one);
        const where = one.manual ? '' : one.sandbox === null ? ', no sandbox' : `, ${one.sandbox}`;
        return `  ${one.id}  ${one.at}  ${one.check.padEnd(10)} ${age.padEnd(7)} ${one.tree.slice(0, 8)}  ${how}${where}`;
      }),
    ].join('\n'),
  };
}
