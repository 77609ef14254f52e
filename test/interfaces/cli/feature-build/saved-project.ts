import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { BuildProject } from '../../../support/build-project.ts';

/** A project as it was after its build, put back at the same place as often as a test wants. */
export class SavedProject {
  readonly #folder: string;
  readonly #copy: string;

  constructor({ sandbox: { folder } }: BuildProject) {
    this.#folder = folder;
    this.#copy = `${folder}-saved`;
    execFileSync('cp', ['-a', this.#folder, this.#copy]);
  }

  putBack(): void {
    execFileSync('chmod', ['-R', 'u+rwx', this.#folder]);
    rmSync(this.#folder, { recursive: true });
    execFileSync('cp', ['-a', this.#copy, this.#folder]);
  }

  cleanup(): void {
    execFileSync('chmod', ['-R', 'u+rwx', this.#copy]);
    rmSync(this.#copy, { recursive: true, force: true });
  }
}
