import type { Workspace } from '../config/project/workspace.ts';
import { ROLES } from '../domain/entities/role-constraints.ts';
import { canonicalJson } from '../domain/json/json.ts';
import { askStore } from './ask-store.ts';
import { loadRuleSources } from './load-rule-sources.ts';
import { resolveRoleConstraints } from './resolve-role-constraints.ts';
import { projectSeedGroup } from './seed-groups.ts';

/** Warnings about valid rules: removals that match nothing, and stored copies older than the file. */
export async function findStaleRules(workspace: Workspace): Promise<string[]> {
  const { root, project, store: settings } = workspace;
  const sources = await loadRuleSources(root, settings);
  const unmatched = ROLES.flatMap((role) => resolveRoleConstraints(sources, role).unmatched).map(
    ({ list, value, origin }) => `${origin} removes an entry that is not in ${list}: ${value}`,
  );
  if (!sources.memory.available) return [...unmatched, `memory is off: ${sources.memory.why}`];
  if (!project.known) return unmatched;
  const { group, bodies } = projectSeedGroup(project.id, sources);
  const stored = await askStore(settings, (store) => store.list(group));
  if (!stored.ok) return [...unmatched, `memory is off: ${stored.why}`];
  const inStore = stored.value.map(({ body }) => canonicalJson(body)).sort();
  const inFile = bodies.map((body) => canonicalJson(body)).sort();
  if (inStore.join('\n') === inFile.join('\n')) return unmatched;
  return [
    ...unmatched,
    `the stored copy of quality-gates.yaml is older than the file, which is used; \`guardkit memory seed\` updates it`,
  ];
}
