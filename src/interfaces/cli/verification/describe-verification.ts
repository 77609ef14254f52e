import { describeEvidence } from '../../../domain/entities/evidence.ts';
import { explainGate, type GateResult, type Outcome } from '../../../domain/entities/verification.ts';
import type { SandboxStatus } from '../../../platform/sandbox/find-sandbox.ts';
import type { VerifiedCriterion } from '../../../verification/criteria.ts';
import type { Base } from '../../../verification/definition/find-base.ts';
import type { Definition } from '../../../verification/definition/load-definition.ts';
import type { Facts } from '../../../verification/facts.ts';
import { judgeTestRun } from '../../../verification/gates/judge-test-run.ts';
import type { VerifyEvent } from '../../../verification/runs/run-context.ts';
import type { Verified } from '../../../verification/verify.ts';
import { OUTCOME_ICONS } from '../output/printable.ts';
import type { Report } from '../program/cli-command.ts';

const ON = {
  candidate: '',
  base: ' on the base',
  base_with_new_tests: ' on the base with the new tests',
  candidate_with_base_tests: ' with the base’s tests',
  candidate_with_failing_test: ' with a failing test',
  candidate_without_exclusions: ' without the new exclusions',
} as const;

/** One line of progress. */
export function describeEvent(event: VerifyEvent): string {
  const what = `${event.check}${ON[event.on]}`;
  switch (event.type) {
    case 'run_began':
      return `… ${what}: ${event.command}`;
    case 'run_reused':
      return `  ${what}: reused (${describeEvidence(event.evidence)})`;
    case 'run_ended':
      return `  ${what}: ${describeEvidence(event.evidence)}, ${(event.evidence.duration_ms / 1000).toFixed(1)} s`;
  }
}

const NAME_WIDTH = 16;
const MOST_DETAILS = 30;

interface Described extends Verified {
  definition: Definition;
  base: Base;
  criteria: readonly VerifiedCriterion[];
  sandbox: SandboxStatus;
  /** The Coach's, for this tree. */
  score: number | undefined;
  memory: string | undefined;
  /** Of the feature, now that this is on record. */
  tested: boolean;
  /** Its work was done without a build and is still open. */
  canBeCompleted: boolean;
}

export function describeVerification(described: Described): Report {
  const { verification, definition, base, criteria, score } = described;
  const { outcome, gates, tree } = verification;
  return {
    json: {
      feature: verification.feature_id,
      task: verification.task_id,
      tree,
      base: base.commit,
      outcome,
      base_trouble: baseTrouble(described.facts)[0] ?? null,
      tested: described.tested,
      verification: verification.id,
      sandbox: verification.sandbox,
      gates,
      criteria,
      architecture: {
        score: score ?? null,
        required: archRequired(definition),
        threshold: archThreshold(definition),
      },
      duration_ms: verification.duration_ms,
    },
    text: [
      heading(definition, verification.task_id),
      `tree ${tree.slice(0, 12)}, base ${base.commit.slice(0, 12)} (${base.why})`,
      ...baseTrouble(described.facts).map((line) => `! ${line}`),
      '',
      ...gates.flatMap((gate) => describeGate(gate)),
      ...(archRequired(definition) ? [architectureLine(definition, score)] : []),
      ...describeCriteria(criteria),
      '',
      conclusion(outcome, gates),
      ...(verification.task_id === null ? describeTested(described) : []),
    ].join('\n'),
    notices: notices(described),
  };
}

function describeTested({ tested, canBeCompleted, verification: { feature_id } }: Described): string[] {
  if (!tested) return [];
  if (!canBeCompleted) return [`${feature_id} is tested.`];
  return [
    `${feature_id} is tested. Once it is committed, complete it with \`guardkit feature complete ${feature_id}\`.`,
  ];
}

function heading({ feature, tasks }: Definition, taskId: string | null): string {
  const [task] = tasks;
  if (taskId !== null && task) return `${task.id} ${task.title}`;
  const ids = tasks.map(({ id }) => id).filter((id) => id !== feature.id);
  return `${feature.id} ${feature.name}${ids.length > 0 ? ` (${ids.join(', ')})` : ''}`;
}

export function describeGate(described: GateResult): string[] {
  const { gate, result, required, warnings, manual } = described;
  const mark = manual ? '✎' : OUTCOME_ICONS[result];
  const [reason = '', ...explained] = explainGate(described, MOST_DETAILS);
  const indented = (line: string) => `    ${''.padEnd(NAME_WIDTH)} ${line}`;
  return [
    `  ${mark} ${gate.padEnd(NAME_WIDTH)} ${reason}${required ? '' : ' (not required)'}`,
    ...explained.map(indented),
    ...warnings.map((warning) => indented(`! ${warning}`)),
  ];
}

function archThreshold({ rules }: Definition): number {
  return Math.max(0, ...rules.gates.map(({ values }) => values.arch_review_threshold.value));
}

function archRequired({ rules }: Definition): boolean {
  return rules.gates.some(({ values }) => values.arch_review_required.value);
}

/** Needed for approval, not for verification: only the Coach gives it. */
function architectureLine(definition: Definition, score: number | undefined): string {
  const threshold = archThreshold(definition);
  const said = score === undefined ? 'no score for this tree yet' : `last score for this tree ${score}`;
  return `  – ${'arch-score'.padEnd(NAME_WIDTH)} ${said}; approval needs ${threshold} from the Coach`;
}

export function describeCriteria(criteria: readonly VerifiedCriterion[], title = 'Criteria'): string[] {
  if (criteria.length === 0) return [];
  return [
    '',
    title,
    ...criteria.map(({ id, text, tests }) => {
      const by =
        tests.length > 0
          ? `named in ${tests.length === 1 ? `the test ${tests[0]}` : `${tests.length} passing tests`}`
          : 'named in no test';
      return `  ○ ${id} ${text} (${by})`;
    }),
  ];
}

function conclusion(outcome: Outcome, gates: readonly GateResult[]): string {
  if (outcome === 'pass') return '✓ passed: every required gate passes on this tree.';
  const stopping = gates.filter(({ required, result }) => required && result !== 'pass');
  const names = stopping.map(({ gate, result }) => `${gate} (${result})`).join(', ');
  return `${OUTCOME_ICONS[outcome]} not passed: ${names}`;
}

/** Problems of the base itself, and how to fix them. */
function baseTrouble({ base, baseNotRun }: Facts): string[] {
  const fix = 'Fix the base first: until then its failures count against every change.';
  if (baseNotRun !== undefined) return [`The base cannot run: ${baseNotRun}. ${fix}`];
  if (!base) return [];
  const { result, reason } = judgeTestRun(base);
  return result === 'fail' ? [`Tests already fail on the base: ${reason.replace(/\.$/, '')}. ${fix}`] : [];
}

function notices({ definition, sandbox, memory }: Described): string[] {
  const { differences } = definition;
  const without = 'built-in rules are used';
  // One line, whether reading or writing failed.
  const off = definition.memory.available
    ? memory
    : memory === undefined
      ? `memory is off: ${definition.memory.why}; ${without}.`
      : `${memory.replace(/\.$/, '')}; ${without}.`;
  const open = differences.filter(({ accepted }) => !accepted).map(({ path }) => path);
  return [
    ...(off === undefined ? [] : [off]),
    ...(sandbox.available ? [] : [`not in a sandbox: ${sandbox.why}. ${sandbox.hint}`]),
    ...(open.length > 0
      ? [
          `changed since the base and not used: ${open.join(', ')}. Commit them to the base, or accept them with \`guardkit accept\`.`,
        ]
      : []),
  ];
}
