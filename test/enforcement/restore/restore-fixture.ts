import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RestoreContext } from '../../../src/enforcement/restore/bring-back.ts';
import { readFileState } from '../../../src/enforcement/restore/file-state.ts';
import { keepVersion } from '../../../src/enforcement/restore/keep-version.ts';
import type { FileRestored } from '../../../src/store/ledger/kinds/protection/file-restored.ts';
import { PROJECT, temporaryLedger } from '../../store/ledger/ledger-fixture.ts';

export interface RestoreGround extends RestoreContext {
  /** Absolute path of a file in the checkout. */
  at(path: string): string;
  /** Keeps the current version of a file, as GuardKit does before a restore. */
  keep(path: string, changes?: Partial<FileRestored>): void;
}

export function restoreGround(): RestoreGround {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-restore-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const checkout = join(folder, 'shop');
  const dataFolder = join(folder, 'data');
  mkdirSync(checkout);
  const ledger = temporaryLedger();
  const at = (path: string) => join(checkout, path);
  return {
    ledger,
    project: PROJECT,
    dataFolder,
    checkout,
    at,
    keep: (path, changes = {}) => {
      const state = readFileState(at(path));
      const kept =
        state.kind === 'absent'
          ? undefined
          : keepVersion(
              { dataFolder, project: PROJECT },
              { absolute: at(path), shown: path, mode: state.mode },
            );
      const body: FileRestored = {
        path,
        absolute: at(path),
        checkout,
        session: 'session-1',
        agent: 'claude',
        agent_type: null,
        action: 'tool-1',
        reason: 'no-sandbox',
        what: `${path} changed during an action`,
        found_hash: kept?.hash ?? null,
        found_mode: state.mode,
        quarantined: kept?.quarantined ?? null,
        restored_hash: null,
        restored_mode: null,
        during: 'Bash npm test',
        ...changes,
      };
      ledger.append(PROJECT, 'file_restored', body);
    },
  };
}
