import { expect, it } from 'vitest';
import type { CliResult } from '../../support/cli.ts';
import { errorCode } from '../../support/error-code.ts';
import type { Answer, CheatBase, CheatProject, Files } from './cheat-project.ts';

/** A cheat and the gate that stops it. */
export interface Cheat {
  name: string;
  /** Written over the base. */
  files?: Files;
  /** Set-up beyond files. */
  also?: (project: CheatProject) => unknown;
  /** Additional command line arguments. */
  args?: readonly string[];
  gate: string;
  /** Alternatives, if it depends on the version of the runner. */
  result?: 'fail' | 'absent' | 'either';
  /** The code of the gate's reason. */
  code?: string | readonly string[];
  /** What the reason names: a test, a file, a figure. */
  reason?: RegExp;
}

/** Expects that the change does not pass, and that the given gate stops it for the given reason. */
export function expectStopped(
  answer: Answer,
  { gate, result = 'fail', code, reason = /./ }: Pick<Cheat, 'gate' | 'result' | 'code' | 'reason'>,
): void {
  const shown = [...answer.gates.values()]
    .map((one) => `${one.gate} ${one.result} ${one.code}: ${one.reason}`)
    .join('\n');
  expect(answer.exitCode, `${shown}\n${answer.stderr}`).not.toBe(0);
  expect(answer.gates.get(gate), `${shown}\n${answer.stderr}`).toMatchObject({
    required: true,
    result: result === 'either' ? expect.stringMatching(/^(?:fail|absent)$/) : result,
    reason: expect.stringMatching(reason),
  });
  if (code !== undefined) expect([code].flat(), shown).toContain(answer.gates.get(gate)?.code);
}

/** Refused before any gate. */
export function expectRefused(answer: CliResult, code: string): void {
  expect(answer.exitCode, answer.stdout).not.toBe(0);
  expect(errorCode(answer), answer.stderr).toBe(code);
}

export function tryEach(base: CheatBase, cheats: readonly Cheat[]): void {
  for (const { name, files = {}, also, args = [], ...stopped } of cheats)
    it(name, async () => {
      const project = base.project().write(files);
      await also?.(project);
      expectStopped(await project.verify(...args), stopped);
    });
}
