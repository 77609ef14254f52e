import { existsSync, realpathSync, writeFileSync } from 'node:fs';

/** With bubblewrap the agent's commands are wrapped; without it nothing can be prevented. */
export type Tier = 'kernel' | 'none';

const BUBBLEWRAPS = [
  ...new Set(
    ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap']
      .filter(existsSync)
      .map((path) => realpathSync(path)),
  ),
];

/** The tiers that can be tried on this machine. */
export const TIERS: readonly Tier[] = BUBBLEWRAPS.length > 0 ? ['kernel', 'none'] : ['none'];

/** Words that start a program on a machine where bubblewrap is not installed: an empty file lies in its place. */
export function withoutBubblewrap(empty: string): string[] {
  const [program] = BUBBLEWRAPS;
  if (program === undefined) return [];
  writeFileSync(empty, '');
  return [
    program,
    '--dev-bind',
    '/',
    '/',
    ...BUBBLEWRAPS.flatMap((path) => ['--ro-bind', empty, path]),
    '--',
  ];
}
