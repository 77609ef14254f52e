import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { scrubSecrets } from '../../../domain/secrets/scrub-secrets.ts';

/** `.guardkit/logs/autobuild.log`, a line for everything that happened. */
export function openBuildLog(root: string): { writeLine(line: string): void } {
  const folder = join(root, '.guardkit', 'logs');
  let broken = false;
  const writeLine = (line: string) => {
    if (broken) return;
    try {
      mkdirSync(folder, { recursive: true });
      const at = new Date().toISOString();
      const lines = scrubSecrets(line).split('\n');
      appendFileSync(join(folder, 'autobuild.log'), lines.map((one) => `${at} ${one}\n`).join(''));
    } catch {
      // Safe: the ledger has everything; a log that cannot be written must not end a build.
      broken = true;
    }
  };
  return { writeLine };
}
