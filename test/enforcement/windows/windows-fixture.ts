import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { closeWindow } from '../../../src/enforcement/windows/close-window.ts';
import { type Opening, openWindow } from '../../../src/enforcement/windows/open-window.ts';
import type { WatchPlace } from '../../../src/enforcement/windows/watch-place.ts';
import { type Violation, violationSchema } from '../../../src/store/ledger/kinds/violation-recorded.ts';
import { placeIn } from './place-in.ts';

const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'test',
  GIT_AUTHOR_EMAIL: 'test@example.invalid',
  GIT_COMMITTER_NAME: 'test',
  GIT_COMMITTER_EMAIL: 'test@example.invalid',
};

/** Made once: git takes longer for it than a test for the rest. */
let template: string | undefined;

export const CONFIG = 'project: shop-4f2a\n';

/** A checkout with protected files, a ledger, and an agent that acts in it. */
export class WatchedCheckout {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-windows-')));
  readonly place: WatchPlace;
  #actions = 0;

  constructor(globs: readonly string[] = []) {
    for (const name of ['data', 'home']) mkdirSync(join(this.folder, name));
    if (template === undefined) {
      this.#begin();
      template = mkdtempSync(join(inject('runFolder'), 'windows-'));
      cpSync(this.path(), template, { recursive: true });
    } else cpSync(template, this.path(), { recursive: true });
    this.place = placeIn(this.folder, globs);
    onTestFinished(() => {
      this.place.ledger.close();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  #begin(): void {
    mkdirSync(this.path());
    this.git('init', '--quiet', '--initial-branch=main');
    this.write('.guardkit/config.yaml', CONFIG);
    this.write('tasks/TASK-1.md', '# One\n');
    this.write('.claude/settings.json', '{"hooks":{}}\n');
    this.write('src/a.js', 'export {};\n');
    this.commit('Begin');
  }

  path(...names: string[]): string {
    return join(this.folder, 'shop', ...names);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.path(),
      env: ENVIRONMENT,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  }

  commit(message: string): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message', message);
  }

  opening(more: Partial<Opening> = {}): Opening {
    this.#actions += 1;
    return {
      session: 's1',
      action: `a${this.#actions}`,
      agent: 'claude',
      runs: true,
      summary: 'sh x',
      ...more,
    };
  }

  /** What an agent does in one action, and what came of it. */
  act(work: () => void, more: Partial<Opening> = {}) {
    const opening = this.opening(more);
    const opened = openWindow(this.place, opening);
    work();
    // What other tests leave running at the same time is not this agent's.
    const closed = closeWindow(this.place, { ...opening, orphans: false });
    return { opened, closed, restored: [...opened.restored, ...closed.restored] };
  }

  violations(): Violation[] {
    return this.place.ledger
      .entries(this.place.project, { kind: 'violation_recorded' })
      .map(({ body }) => violationSchema.parse(body));
  }

  quarantined(): string[] {
    const folder = join(this.folder, 'data', 'quarantine', this.place.project);
    try {
      return readdirSync(folder).map((name) => join(folder, name));
    } catch {
      return [];
    }
  }
}
