import type { ReportBuilder } from './report-builder.ts';

const NOT_BUILT = /^FAIL\t(\S+) \[(build|setup) failed\]$/;
const MAX_BUILD_LINES = 50;

/** What the compiler says, which stands apart from the tests, and the packages that it kept from being tested. */
export class BuildOutput {
  readonly #output = new Map<string, string[]>();
  readonly #failed = new Map<string, string>();
  #current: string | undefined;

  get anyFailed(): boolean {
    return this.#failed.size > 0;
  }

  hasFailed(name: string): boolean {
    return this.#failed.has(name);
  }

  /** Whether a line is of this kind. */
  read(line: string): boolean {
    if (this.readFailure(line)) return true;
    const header = /^# (\S+)(?: \[\S+\])?$/.exec(line);
    if (header) {
      this.#current = header[1];
      return true;
    }
    if (this.#current === undefined) return false;
    if (!/^\S+\.go:\d+|^\t|^too many errors/.test(line)) {
      this.#current = undefined;
      return false;
    }
    this.add(this.#current, line);
    return true;
  }

  readFailure(line: string): boolean {
    const failure = NOT_BUILT.exec(line);
    if (!failure) return false;
    this.#failed.set(failure[1] ?? '', failure[2] ?? '');
    this.#current = undefined;
    return true;
  }

  add(importPath: string, output: string): void {
    const [name = ''] = importPath.split(' ', 1);
    const lines = this.#output.get(name) ?? [];
    this.#output.set(name, lines);
    if (lines.length < MAX_BUILD_LINES && !output.startsWith('# ')) lines.push(withoutEnd(output));
  }

  report(builder: ReportBuilder): void {
    for (const [name, step] of this.#failed) {
      // What does not compile may be a package that this one imports.
      const said = this.#output.get(name) ?? [...this.#output.values()].flat().slice(0, MAX_BUILD_LINES);
      const file = said.map((line) => /^(\S+\.go):\d+/.exec(line)?.[1]).find((found) => found !== undefined);
      const [what, code] =
        step === 'build'
          ? (['does not compile', 'not-compiled'] as const)
          : (['could not be set up', 'not-set-up'] as const);
      builder.addFault([`${name} ${what}`, ...said].join('\n'), file, { package: name, code });
    }
  }
}

/** An event's output is a line with its end. */
export function withoutEnd(output: string): string {
  return output.endsWith('\n') ? output.slice(0, -1) : output;
}
