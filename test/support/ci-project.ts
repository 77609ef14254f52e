import { rmSync } from 'node:fs';
import { type CliResult, type RunOptions, Sandbox } from './cli.ts';
import { BASE_FILES, ONE_PROCESS, RUN_TESTS } from './verified-project.ts';

/** The small project with one test run for each tree. */
export const CI_FILES: Readonly<Record<string, string>> = {
  ...BASE_FILES,
  ...ONE_PROCESS,
  '.guardkit/config.yaml': `project: calc-1234\nverify:\n  tests:\n    command: ${RUN_TESTS}\n`,
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - task_type: feature\n    complexity_range: [1, 10]\n    coverage_required: false\n',
};

export interface CiJson {
  outcome: 'pass' | 'fail' | 'absent';
  head: string;
  base: string;
  sandbox: string | null;
  gates: CiGate[];
  claims: {
    claim: 'on-base' | 'added' | 'project';
    id: string;
    tested: boolean;
    outcome: string;
    gates: CiGate[];
    criteria: { id: string; text: string; tests: string[] }[];
  }[];
  waived: { file: string; by: string; until: string; used_for: string[] }[];
  expired_waivers: { file: string }[];
  findings: { gate: string; level: string; path?: string; line?: number; message: string }[];
}

interface CiGate {
  gate: string;
  result: string;
  required: boolean;
  code?: string;
  reason: string;
  remedy?: string;
  warnings: string[];
}

/** A repository on a server, and fresh clones of it that stand in for CI machines. */
export class CiProject {
  readonly sandbox = new Sandbox();

  constructor(base: Readonly<Record<string, string>> = CI_FILES) {
    this.sandbox.emptyRepository('calc');
    this.write(base);
    this.commit('Base');
    this.git('checkout', '--quiet', '-b', 'work');
  }

  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [path, text] of Object.entries(files)) this.sandbox.write(`calc/${path}`, text);
  }

  remove(path: string): void {
    rmSync(this.sandbox.path('calc', path), { recursive: true });
  }

  git(...args: string[]): string {
    return this.sandbox.git('calc', ...args);
  }

  commit(message: string): void {
    this.git('add', '--all');
    this.sandbox.commit('calc', message);
  }

  /** Changes main, and brings it into the branch. */
  onMain(files: Readonly<Record<string, string>>): void {
    this.git('checkout', '--quiet', 'main');
    this.write(files);
    this.commit('On main');
    this.git('checkout', '--quiet', 'work');
    this.git('merge', '--quiet', '--no-edit', 'main');
  }

  /** A fresh clone at the branch's head, detached as CI systems check it out. */
  clone(...options: string[]): string {
    const name = `runner-${Math.random().toString(36).slice(2)}`;
    const source = `file://${this.sandbox.path('calc')}`;
    this.sandbox.git('.', 'clone', '--quiet', '--branch', 'work', ...options, source, name);
    this.sandbox.git(name, 'checkout', '--quiet', '--detach');
    return name;
  }

  /** As a pull request into main, on GitHub. */
  pullRequest(more: Record<string, string> = {}): Record<string, string> {
    return {
      GITHUB_ACTIONS: 'true',
      GITHUB_BASE_REF: 'main',
      GITHUB_STEP_SUMMARY: this.sandbox.path('summary.md'),
      ...more,
    };
  }

  ci(args: readonly string[] = [], options: RunOptions = {}): Promise<CliResult> {
    return this.sandbox.guardkit(['ci', ...args], { in: this.clone(), env: this.pullRequest(), ...options });
  }

  async json(
    args: readonly string[] = [],
    options: RunOptions = {},
  ): Promise<CiJson & { exitCode: number | null }> {
    const { stdout, exitCode } = await this.ci([...args, '--json'], options);
    return { ...(JSON.parse(stdout) as CiJson), exitCode };
  }

  cleanup(): void {
    this.sandbox.cleanup();
  }
}

export function gateOf(gates: readonly CiGate[], name: string): CiGate {
  const found = gates.find(({ gate }) => gate === name);
  if (!found) throw new Error(`there is no gate ${name}`);
  return found;
}
