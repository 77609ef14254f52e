import type { WiringStep } from '../../../enforcement/install/wire-claude.ts';

const VERBS = {
  create: ['wrote', 'would write'],
  change: ['changed', 'would change'],
  remove: ['removed', 'would remove'],
  keep: ['kept', 'would keep'],
} as const satisfies Record<WiringStep['action'], readonly [string, string]>;

export function describeStep({ path, action }: WiringStep, dryRun: boolean): string {
  return `  ${VERBS[action][dryRun ? 1 : 0]} ${path}`;
}

export function changedPaths(steps: readonly WiringStep[]): string[] {
  return steps.filter(({ action }) => action !== 'keep').map(({ path }) => path);
}
