import type { AgentDriver } from '../drivers/agent-driver.ts';
import type { BuildSettings } from './build-context.ts';
import type { Protection } from './build-event.ts';

/** Shown before anything is run. */
export function describeProtection({
  sandbox,
  sources,
  definition,
  player,
  coach,
}: Pick<BuildSettings, 'sandbox' | 'sources' | 'definition' | 'player' | 'coach'>): Protection {
  const required = definition.rules;
  return {
    memory: sources.memory.available ? 'on' : `off: ${sources.memory.why}`,
    sandbox: sandbox.available
      ? `${sandbox.kind} ${sandbox.version}`
      : `none: ${sandbox.why}; protected files are restored after a change, not made read-only`,
    guards: describeGuards([player, coach]),
    gates: [
      required.testsRequired ? 'tests' : 'no tests',
      required.coverageRequired
        ? `coverage ${required.coverageThreshold * 100}% of ${required.coverageScope}`
        : 'no coverage',
      `from ${[...new Set(required.gates.map(({ complexity_range }) => complexity_range.origin))].join(', ')}`,
    ].join(', '),
  };
}

/** When the guards check an agent's actions. */
function describeGuards(drivers: readonly AgentDriver[]): string {
  const names = (asks: boolean) => [
    ...new Set(drivers.filter(({ asksGuards = false }) => asksGuards === asks).map(({ name }) => name)),
  ];
  const [asking, silent] = [names(true), names(false)];
  return [
    ...(asking.length > 0 ? [`asked before each action (${asking.join(', ')})`] : []),
    ...(silent.length > 0
      ? [`checked after each run (${silent.join(', ')}, which does not ask before it acts)`]
      : []),
  ].join('; ');
}
