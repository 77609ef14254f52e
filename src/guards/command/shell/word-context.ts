import type { WordContext } from '../words/expand-word.ts';
import { HOLE } from '../words/field.ts';
import type { Frame } from './scope.ts';
import type { Shell } from './shell.ts';

/** Expands words where a command stands. */
export function wordContext(shell: Shell, frame: Frame): WordContext {
  const inner = { ...frame, depth: frame.depth + 1, stdin: undefined };
  return {
    scope: frame.scope,
    substitute: (script) => shell.runParsed(script, { ...inner, scope: frame.scope.fork() }),
    process: (script, operator) => {
      const stdin = operator === '>' ? HOLE : undefined;
      const output = shell.runParsed(script, { ...inner, scope: frame.scope.fork(), stdin });
      // A name for the pipe under which its content is found again.
      const path = `/dev/fd/substitution-${frame.scope.files.size}`;
      frame.scope.writeFile(path, output);
      return path;
    },
    step: () => shell.findings.step(frame.depth),
    choose: (name) => frame.scope.values(name)[0] ?? HOLE,
  };
}
