import { type DetectedVerify, detected } from './detected-verify.ts';
import type { ProjectView } from './project-view.ts';

/** A Makefile that has a target for tests, with any tool behind it. */
export function detectMake(view: ProjectView): DetectedVerify | undefined {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find(view.has);
  if (file === undefined) return undefined;
  const targets = [...(view.text(file) ?? '').matchAll(/^([\w./ -][\w./ \t-]*):(?!=)/gm)].flatMap((match) =>
    (match[1] ?? '').split(/\s+/),
  );
  const target = ['test', 'tests', 'check', 'unittest', 'test-all'].find((name) => targets.includes(name));
  if (target === undefined) return undefined;
  const coverage = ['coverage', 'cover', 'cov', 'test-coverage'].find((name) => targets.includes(name));
  return detected(
    'make',
    {
      tests: { command: `make ${target}` },
      ...(coverage === undefined ? {} : { coverage: { command: `make ${coverage}` } }),
    },
    { notes: coverage === undefined ? ['Coverage is not measured: the Makefile has no target for it.'] : [] },
  );
}
