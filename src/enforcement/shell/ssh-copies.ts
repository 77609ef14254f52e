import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fitsGlob } from '../../domain/protection/fits-glob.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { toBytePath } from './byte-path.ts';
import type { Cover } from './plan-mounts.ts';
import type { StampedReads } from './stamped-reads.ts';

const SYSTEM_CONFIG = '/etc/ssh/ssh_config';
const MAX_FILES = 50;

/**
 * ssh refuses configuration files that belong to neither root nor the user, and inside a user namespace root's files belong
 * to nobody. So the files that the system's configuration includes are covered by copies that belong to the user.
 */
export function sshCopies(reads: StampedReads, folder: string): Cover[] {
  const covers = new Map<string, Cover>();
  const visit = (file: string) => {
    for (const included of includedFiles(reads, reads.text(toBytePath(file)) ?? '')) {
      const target = reads.resolve(toBytePath(included));
      if (target?.kind !== 'file' || covers.has(target.path) || covers.size >= MAX_FILES) continue;
      const text = reads.text(target.path);
      if (text === undefined) continue;
      const copy = join(folder, String(covers.size));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileAtomic(copy, text, 0o600, { lasting: false });
      covers.set(target.path, { source: toBytePath(copy), target: target.path, writable: false });
      visit(included);
    }
  };
  visit(SYSTEM_CONFIG);
  return [...covers.values()];
}

/** The absolute paths that `Include` names; a wildcard may stand in their last part. */
function includedFiles(reads: StampedReads, text: string): string[] {
  const words = [...text.matchAll(/^[ \t]*include[ \t=]+(.+)$/gim)].flatMap(([, rest = '']) =>
    rest.replaceAll('"', '').trim().split(/\s+/),
  );
  return words.flatMap((word) => {
    if (word.startsWith('~') || word === '') return [];
    const path = word.startsWith('/') ? word : `/etc/ssh/${word}`;
    const [folder, name] = [dirname(path), basename(path)];
    if (!/[*?]/.test(name)) return [path];
    const real = reads.resolve(toBytePath(folder));
    return reads
      .entries(real?.path ?? toBytePath(folder))
      .map((entry) => entry.name)
      .filter((entry) => fitsGlob(entry, name))
      .map((entry) => `${folder}/${entry}`);
  });
}
