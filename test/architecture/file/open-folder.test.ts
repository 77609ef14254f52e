import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFolder } from '../../../src/architecture/file/open-folder.ts';
import { writeFileAtomic } from '../../../src/platform/files/atomic-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it.skipIf(process.platform !== 'linux')(
  'a link that replaces an open folder redirects no read and no write (Linux only)',
  () => {
    const root = temporaryFolder();
    const [folder, elsewhere] = [join(root, 'own'), join(root, 'elsewhere')];
    mkdirSync(folder);
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'graph.dot'), 'secret');
    const held = openFolder(folder);
    try {
      renameSync(folder, join(root, 'moved'));
      symlinkSync(elsewhere, folder);
      writeFileAtomic(join(held.path, 'graph.dot'), 'digraph {}');
      expect(readFileSync(join(held.path, 'graph.dot'), 'utf8')).toBe('digraph {}');
    } finally {
      held.release();
    }
    expect(readFileSync(join(elsewhere, 'graph.dot'), 'utf8')).toBe('secret');
    expect(readdirSync(elsewhere)).toEqual(['graph.dot']);
    expect(readFileSync(join(root, 'moved', 'graph.dot'), 'utf8')).toBe('digraph {}');
    expect(held.real).toBe(folder);
  },
);
