import type { FoundWork } from '../../config/work/find-work.ts';

/** A branch must not bring its own commands, or allow itself to lose tests. */
export function withoutExceptions({ feature, tasks, faults }: FoundWork): FoundWork {
  const { verify: _commands, ...plain } = feature;
  return {
    feature: plain,
    tasks: tasks.map(({ verify: _own, ...task }) => ({
      ...task,
      removes_tests: [],
      changes_tests: [],
      tests_may_pass_on_base: [],
    })),
    faults,
  };
}
