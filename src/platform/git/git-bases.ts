import { gitSync } from './git-sync.ts';

/** A history that takes more is not looked through. */
const MAX_BASES = 64;

/** Those of the known commits, or what these stand on, that a commit stands on last; the commit itself, if it is one. */
export function basesAmong(gitDir: string, known: readonly string[], commit: string): string[] {
  const question = [commit, ...known.map((tip) => `^${tip}`)].join('\n');
  const answer = gitSync(gitDir, ['rev-list', '--boundary', '--ignore-missing', '--stdin'], `${question}\n`);
  if (answer === undefined || known.length === 0) return [];
  const lines = answer.split('\n').filter(Boolean);
  if (!lines.some((line) => !line.startsWith('-'))) return [commit];
  const bases = lines.flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : []));
  if (bases.length <= 1 || bases.length > MAX_BASES) return bases.length === 1 ? bases : [];
  // An old commit that was merged once more must not bring old definitions back.
  const independent = gitSync(gitDir, ['merge-base', '--independent', ...bases]);
  return independent?.split('\n').filter(Boolean) ?? [];
}
