import type { AgentDriver } from '../drivers/agent-driver.ts';
import type { BuildSettings } from './build-context.ts';
import type { Protection } from './build-event.ts';

/** Said before anything is run, let alone paid. */
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
      : `none: ${sandbox.why}; what agents must not change is put back afterwards, not kept from them`,
    guards: describeGuards([player, coach]),
    gates: [
      required.testsRequired ? 'tests' : 'no tests',
      required.coverageRequired
        ? `coverage ${required.coverageThreshold * 100} % of ${required.coverageScope}`
        : 'no coverage',
      `from ${[...new Set(required.gates.map(({ complexity_range }) => complexity_range.origin))].join(', ')}`,
    ].join(', '),
  };
}

/** When the guards hear of what an agent does. */
function describeGuards(drivers: readonly AgentDriver[]): string {
  const names = (asks: boolean) => [
    ...new Set(drivers.filter(({ asksGuards = false }) => asksGuards === asks).map(({ name }) => name)),
  ];
  const [asking, silent] = [names(true), names(false)];
  return [
    ...(asking.length > 0 ? [`asked before each action (${asking.join(', ')})`] : []),
    ...(silent.length > 0
      ? [`look at what each run has changed (${silent.join(', ')}, which does not ask before it acts)`]
      : []),
  ].join('; ');
}
