import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts the files that start programs first: they take longest, and one that starts last keeps the other cores idle.
 * Without results of an earlier run, as in CI, vitest would go by the size of the files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      if (/\/redteam\/|\.(?:slow|long)\.test\.ts$/.test(moduleId)) return 0;
      return /\/e2e\/|\.sandbox\.test\.ts$/.test(moduleId) ? 1 : 2;
    };
    return [...sorted].sort((one, other) => rank(one) - rank(other));
  }
}
