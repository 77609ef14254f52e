import { expect, it } from 'vitest';
import { importsOf, type SourceImport } from './source-imports.ts';

/** All modules that load before a program's first line runs. */
function staticClosure(entry: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const load = ({ to, isPackage }: Pick<SourceImport, 'to' | 'isPackage'>) => {
    if (isPackage) packages.add(to);
    else if (!files.has(to)) {
      files.add(to);
      for (const one of importsOf(to)) if (!one.typeOnly && !one.dynamic) load(one);
    }
  };
  load({ to: entry, isPackage: false });
  return { files, packages };
}

it('printing the version loads only the version [START-1]', () => {
  const { files, packages } = staticClosure('bin.ts');
  expect([...files].sort()).toEqual(['bin.ts', 'load-program.ts', 'start-hook.ts', 'version.ts']);
  expect([...packages]).toEqual([]);
});

it('answering a hook loads no database client, YAML parser or build code until it needs them [START-1]', () => {
  const { files, packages } = staticClosure('interfaces/hooks/run-hook.ts');
  // Other imports are evaluated on first use (scripts/lazy-modules.js); test/e2e/hook-program.sandbox.test.ts checks this.
  expect([...packages].filter((name) => ['pg', 'yaml', 'commander', 'sax'].includes(name))).toEqual([]);
  expect(
    [...files].filter((file) => /^(?:store\/postgres|orchestration|interfaces\/cli)\//.test(file)),
  ).toEqual([]);
});

it('only the MCP server loads the MCP SDK [START-1]', () => {
  for (const entry of ['bin.ts', 'program.ts']) {
    const { files, packages } = staticClosure(entry);
    expect([...packages].filter((name) => name.startsWith('@modelcontextprotocol/'))).toEqual([]);
    expect([...files].filter((file) => file.startsWith('interfaces/mcp/'))).toEqual([]);
  }
  const { packages } = staticClosure('interfaces/mcp/serve-tools.ts');
  expect([...packages].some((name) => name.startsWith('@modelcontextprotocol/'))).toBe(true);
  // In a sandbox it only forwards messages, and packages may be missing.
  const relay = staticClosure('interfaces/mcp/run-mcp.ts');
  expect([...relay.packages].filter((name) => !name.startsWith('node:'))).toEqual([]);
});
