import type { VerifyConfig } from '../../config/project/verify-config.ts';
import type { Trial } from './try-commands.ts';

/** Messages of package managers whose lock file does not fit the package.json or their own version. */
const STALE_LOCK_FILE =
  /can only install packages when your package\.json and|Run "npm help ci" for more info|ERR_PNPM_\w*LOCKFILE|Your lockfile needs to be updated|YN0028|lockfile is frozen/;

/** An installation that demands a fitting lock file, and one that takes from it what fits. */
const LOOSER: readonly (readonly [RegExp, string])[] = [
  [/\bnpm ci$/, 'npm install --no-save'],
  [/\b(pnpm(?:@[\w.-]+)? install) --frozen-lockfile$/, '$1 --no-frozen-lockfile'],
  [/\b(yarn(?:@[\w.-]+)? install) --frozen-lockfile$/, '$1 --pure-lockfile'],
  [/\b(bun install) --frozen-lockfile$/, '$1 --no-save'],
  [/ install --immutable$/, ' install --no-immutable'],
];

/** The next commands to try: if a stale lock file kept the packages from being installed, the same ones without it first. */
export function withoutStaleLock(
  { verify, setup }: Pick<Trial, 'verify' | 'setup'>,
  next: readonly VerifyConfig[],
): readonly VerifyConfig[] {
  const isStale = setup !== undefined && setup.exit !== 0 && STALE_LOCK_FILE.test(setup.tail);
  const again = isStale ? loosened(verify) : undefined;
  return again === undefined ? next : [again, ...next.map((one) => loosened(one) ?? one)];
}

function loosened(verify: VerifyConfig): VerifyConfig | undefined {
  const { setup } = verify;
  if (typeof setup !== 'string') return undefined;
  const [pattern, looser] = LOOSER.find(([frozen]) => frozen.test(setup)) ?? [];
  return pattern === undefined || looser === undefined
    ? undefined
    : { ...verify, setup: setup.replace(pattern, looser) };
}
