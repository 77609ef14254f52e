import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { expect, it } from 'vitest';

const DIST = new URL('../../dist/', import.meta.url);
const {
  dependencies,
  peerDependencies,
}: { dependencies: Record<string, string>; peerDependencies: Record<string, string> } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Only real imports; inside a string it is code that does not run here. */
const NAMED =
  /(?<!["'`\w.])(?:require\(|__import\(|import\(|from ?|import ?)"((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^"]*)?"/g;

function packagesOf(name: string): string[] {
  const text = readFileSync(new URL(name, DIST), 'latin1');
  return [...text.matchAll(NAMED)].flatMap(([, found]) =>
    found === undefined || found.startsWith('.') || builtinModules.includes(found) ? [] : [found],
  );
}

it('the build needs only packages that an installation has', () => {
  const scripts = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?:program\/|library\/|)[^/]+\.c?js$/.test(name),
  );
  const needed = [...new Set(scripts.flatMap(packagesOf))].sort();
  expect(needed).toContain('better-sqlite3');
  expect(needed.filter((name) => !(name in dependencies) && !(name in peerDependencies))).toEqual([]);
});

it('the MCP SDK is bundled without dependencies', () => {
  expect(Object.keys(dependencies)).not.toContain('@modelcontextprotocol/sdk');
});
