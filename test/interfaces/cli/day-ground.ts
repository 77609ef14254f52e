import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readFileState } from '../../../src/enforcement/restore/file-state.ts';
import { keepVersion } from '../../../src/enforcement/restore/keep-version.ts';
import type { FileRestored } from '../../../src/store/ledger/kinds/protection/file-restored.ts';
import type { Ledger } from '../../../src/store/ledger/ledger.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../../support/cli.ts';

export const PROJECT = 'shop-4f2a';
export const PERSON = { in: 'shop', person: true };
export const PROGRAM = { in: 'shop' };

/** A project with a ledger that a test writes into as hooks do. */
export class DayGround {
  readonly sandbox = new Sandbox();
  readonly #ledger: Ledger;

  constructor() {
    this.sandbox.emptyRepository('shop');
    this.sandbox.write('shop/.guardkit/config.yaml', `project: ${PROJECT}\n`);
    this.sandbox.git('shop', 'add', '--all');
    this.sandbox.commit('shop', 'Begin');
    mkdirSync(this.sandbox.home, { recursive: true });
    this.#ledger = openLedger({ path: join(this.sandbox.home, 'ledger.db') });
    onTestFinished(() => {
      this.#ledger.close();
      this.sandbox.cleanup();
    });
  }

  get ledger(): Ledger {
    return this.#ledger;
  }

  file(path: string): string {
    return this.sandbox.path('shop', path);
  }

  record(kind: string, body: Record<string, unknown>): number {
    return this.#ledger.append(PROJECT, kind, body).number;
  }

  /** Keeps the present version of a file, as a hook does before it restores another one. */
  keep(path: string): number {
    const absolute = this.file(path);
    const state = readFileState(absolute);
    const context = { dataFolder: this.sandbox.home, project: PROJECT };
    const kept =
      state.kind === 'absent' ? undefined : keepVersion(context, { absolute, shown: path, mode: state.mode });
    const body: FileRestored = {
      path,
      absolute,
      checkout: this.sandbox.path('shop'),
      session: 'session-1',
      agent: 'claude',
      agent_type: null,
      action: 'tool-1',
      reason: 'no-sandbox',
      what: 'changed while no sandbox protected it',
      found_hash: kept?.hash ?? null,
      found_mode: kept?.mode ?? null,
      quarantined: kept?.quarantined ?? null,
      restored_hash: null,
      restored_mode: null,
      during: 'Bash npm test',
    };
    return this.record('file_restored', { ...body });
  }

  refuse(summary: string, guard = 'protected-set'): number {
    return this.record('action_judged', {
      session: 'session-1',
      agent: 'claude',
      agent_type: null,
      action: 'tool-2',
      tool: 'Edit',
      kind: 'edit',
      summary,
      decision: 'deny',
      findings: [
        { guard, decision: 'deny', reason: 'It is protected.', guidance: '', silent: null, waiver: null },
      ],
    });
  }

  notice(path: string, agentsRunning = false): number {
    return this.record('change_noticed', {
      path,
      absolute: this.file(path),
      checkout: this.sandbox.path('shop'),
      change: 'added',
      hash: 'a'.repeat(64),
      mode: 0o755,
      what: 'added',
      agents_running: agentsRunning,
    });
  }

  async json<Answer = Record<string, unknown>>(
    args: readonly string[],
    options: { in: string; person?: boolean; input?: string } = PROGRAM,
  ): Promise<Answer> {
    const { stdout } = await this.sandbox.guardkit([...args, '--json'], options);
    return JSON.parse(stdout) as Answer;
  }
}
