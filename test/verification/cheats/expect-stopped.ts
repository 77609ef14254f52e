import { expect, it } from 'vitest';
import type { CliResult } from '../../support/cli.ts';
import { errorCode } from '../../support/error-code.ts';
import type { Answer, CheatBase, CheatProject, Files } from './cheat-project.ts';

/** A cheat, and what it is stopped by. */
export interface Cheat {
  name: string;
  /** Written over the base. */
  files?: Files;
  /** What files alone cannot say. */
  also?: (project: CheatProject) => unknown;
  /** More words for the command line. */
  args?: readonly string[];
  gate: string;
  /** Where it depends on the version of the runner: either. */
  result?: 'fail' | 'absent' | 'either';
  /** What the gate's reason comes down to. */
  code?: string | readonly string[];
  /** What the reason names: a test, a file, a figure. */
  reason?: RegExp;
}

/** The change is not let through, and the gate that is to stop it does so for the reason that is told. */
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

/** Refused before anything is judged. */
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
