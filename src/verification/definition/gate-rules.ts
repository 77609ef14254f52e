import type { VerifyConfig } from '../../config/project/verify-config.ts';
import type { FoundWork } from '../../config/work/find-work.ts';
import { type ResolvedQualityGates, resolveQualityGates } from '../../rules/resolve-quality-gates.ts';
import type { RuleSources } from '../../rules/rule-sources.ts';
import type { GateRules } from '../facts.ts';

export interface TaskRules extends GateRules {
  /** Of each task, with their origins. */
  gates: readonly ResolvedQualityGates[];
}

/** The strictest of what holds for each task: a feature is not done by its easiest part. */
export function gateRules(
  sources: RuleSources,
  { feature, tasks }: FoundWork,
  verify: VerifyConfig | undefined,
): TaskRules {
  const gates = tasks.map(({ task_type, complexity }) => resolveQualityGates(sources, task_type, complexity));
  const any = (field: 'tests_required' | 'tests_must_pass' | 'coverage_required') =>
    gates.some(({ values }) => values[field].value);
  const thresholds = gates.filter(({ values }) => values.coverage_required.value);
  return {
    taskTypes: [...new Set(tasks.map(({ task_type }) => task_type))],
    testsRequired: any('tests_required'),
    testsMustPass: any('tests_must_pass'),
    coverageRequired: any('coverage_required'),
    coverageThreshold: Math.max(0, ...thresholds.map(({ values }) => values.coverage_threshold.value)),
    coverageScope: verify?.coverage?.scope ?? 'changed',
    ui: tasks.some(({ ui }) => ui ?? feature.ui),
    testsMayPassOnBase: joined(tasks.map((task) => task.tests_may_pass_on_base)),
    removesTests: joined(tasks.map((task) => task.removes_tests)),
    changesTests: joined(tasks.map((task) => task.changes_tests)),
    criteria: tasks.flatMap(({ criteria }) => criteria.map(({ text, detail }) => `${text} ${detail}`)),
    gates,
  };
}

function joined(lists: readonly (true | readonly string[])[]): true | readonly string[] {
  return lists.includes(true) ? true : lists.flatMap((list) => (list === true ? [] : list));
}
