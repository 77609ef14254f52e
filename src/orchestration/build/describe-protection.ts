import type { BuildSettings } from './build-context.ts';
import type { Protection } from './build-event.ts';

/** Said before anything is run, let alone paid. */
export function describeProtection({
  sandbox,
  sources,
  definition,
}: Pick<BuildSettings, 'sandbox' | 'sources' | 'definition'>): Protection {
  const required = definition.rules;
  return {
    memory: sources.memory.available ? 'on' : `off: ${sources.memory.why}`,
    sandbox: sandbox.available ? `${sandbox.kind} ${sandbox.version}` : `none: ${sandbox.why}`,
    gates: [
      required.testsRequired ? 'tests' : 'no tests',
      required.coverageRequired
        ? `coverage ${required.coverageThreshold * 100} % of ${required.coverageScope}`
        : 'no coverage',
      `from ${[...new Set(required.gates.map(({ complexity_range }) => complexity_range.origin))].join(', ')}`,
    ].join(', '),
  };
}
