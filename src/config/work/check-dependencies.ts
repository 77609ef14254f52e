import { findCycles } from '../../domain/dependencies.ts';
import type { Place } from '../yaml/yaml-file.ts';
import { type KnownIds, knownFeatures, knownTasks, type ReadFeature, type ReadTask } from './known-ids.ts';
import type { WorkFault } from './work-fault.ts';

/** Dependencies on what there is not, and those that go in a circle. */
export function dependencyFaults(tasks: readonly ReadTask[], features: readonly ReadFeature[]): WorkFault[] {
  const edges = [
    ...tasks.flatMap(({ path: file, task, placeOfDependency }) =>
      (task?.dependencies ?? []).map((on) => ({
        file,
        from: task?.id ?? '',
        on,
        place: () => placeOfDependency(on),
      })),
    ),
    ...features.flatMap(({ path: file, edges: own }) =>
      own.map(({ task, on, place }) => ({ file, from: task, on, place: () => place })),
    ),
  ];
  const betweenFeatures = features.flatMap(({ path: file, feature, placeOfDependency }) =>
    (feature?.dependencies ?? []).map((on) => ({
      file,
      from: feature?.id ?? '',
      on,
      place: () => placeOfDependency(on),
    })),
  );
  return [
    ...unknownFaults(edges, 'task', knownTasks(tasks)),
    ...cycleFaults(edges),
    ...unknownFaults(betweenFeatures, 'feature', knownFeatures(tasks, features)),
    ...cycleFaults(betweenFeatures),
  ];
}

interface Edge {
  file: string;
  from: string;
  on: string;
  place(): Place;
}

function unknownFaults(edges: readonly Edge[], what: string, known: KnownIds): WorkFault[] {
  return edges
    .filter(({ on }) => !known.has(on))
    .map(({ file, from, on, place }) => ({
      file,
      ...place(),
      code: 'unknown-dependency',
      message: `${from} depends on ${on}, but there is no such ${what}`,
      hint: known.hint(on, 'make it, or take it off the list'),
    }));
}

function cycleFaults(edges: readonly Edge[]): WorkFault[] {
  const dependencies = new Map<string, string[]>();
  for (const { from, on } of edges) {
    const known = dependencies.get(from);
    if (known) known.push(on);
    else dependencies.set(from, [on]);
  }
  const items = [...dependencies].map(([id, on]) => ({ id, dependencies: on }));
  return findCycles(items).flatMap((cycle) => {
    const edge = edges.find(({ from, on }) => from === cycle[0] && on === cycle[1]);
    if (!edge) return [];
    const shown = cycle.length > 12 ? [...cycle.slice(0, 10), '…', ...cycle.slice(-1)] : cycle;
    return [
      {
        file: edge.file,
        ...edge.place(),
        code: 'dependency-cycle',
        message: `these wait for each other: ${shown.join(' → ')}`,
        hint: 'take one of these dependencies away',
      },
    ];
  });
}
