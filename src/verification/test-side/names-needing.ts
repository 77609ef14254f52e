import { readFileScopes } from '../test-files/file-scopes.ts';
import type { TestFile } from '../test-files/match-tests.ts';

/**
 * Removed names, and the declarations of helpers that need one, directly or through others. Undefined if a helper needs one in
 * a statement or hook, which acts on tests that do not name it.
 */
export function namesNeeding(
  helpers: readonly TestFile[],
  removed: Iterable<string>,
): ReadonlySet<string> | undefined {
  const names = new Set(removed);
  const scopes = helpers.flatMap(({ path, text }) => readFileScopes(path, text)?.scopes ?? []);
  const open = scopes.filter(({ imports }) => imports === undefined);
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const { declares, tokens } of open) {
      if (!tokens.some(({ type, text }) => type === 'name' && names.has(text))) continue;
      const isHook =
        tokens.some(({ text }) => text === 'autouse') || declares.some((name) => name.startsWith('pytest_'));
      if (isHook || declares.length === 0) return undefined;
      for (const name of declares) names.add(name);
    }
  }
  return names;
}
