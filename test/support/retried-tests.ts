import type { Reporter, TestModule } from 'vitest/node';

/** Lists the tests that passed only at the second attempt: each is a fault to look for, in the test or in GuardKit. */
export class RetriedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.ok() && (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => `  ${module.relativeModuleId} > ${test.fullName}`),
    );
    if (retried.length > 0)
      console.log([`Passed only at the second attempt: ${retried.length}`, ...retried].join('\n'));
  }
}
