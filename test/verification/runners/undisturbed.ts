import { expect } from 'vitest';
import type { TestProject } from './test-project.ts';

/** Code that records everything by which a test, or a program that it starts, could notice the taps. */
export const WRITE_SEEN = `{
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  const { writeFileSync } = process.getBuiltinModule('node:fs');
  const { createRequire, Module, _extensions } = process.getBuiltinModule('node:module');
  const environment = 'JSON.stringify(process.env)';
  const seen = {
    argv: process.argv,
    execArgv: process.execArgv,
    environment: process.env,
    folder: process.cwd(),
    listeners: ['exit', 'beforeExit', 'message', 'uncaughtException', 'SIGTERM', 'warning'].map((name) => [name, process.listenerCount(name)]),
    globals: Object.getOwnPropertyNames(globalThis).filter((name) => !/coverage/.test(name)),
    symbols: Object.getOwnPropertySymbols(process).map(String),
    cache: Object.keys(createRequire(process.cwd() + '/x.js').cache ?? {}).filter((path) => !/node_modules/.test(path)),
    loaders: Object.entries(_extensions).map(([name, load]) => [name, load.name, load.length]),
    load: [Module.prototype.load?.name, Module.prototype.load?.length],
    inChild: JSON.parse(execFileSync(process.execPath, ['-p', environment], { encoding: 'utf8' })),
    inShell: execFileSync('sh', ['-c', 'command -v node; env | sort'], { encoding: 'utf8' }),
  };
  writeFileSync('seen.json', JSON.stringify(seen));
}`;

/** Variables that a runner gives its workers, with values that differ between runs. */
const CHANGING =
  /^(?:NODE_CHANNEL_FD|TINYPOOL_WORKER_ID|VITEST_POOL_ID|VITEST_WORKER_ID|JEST_WORKER_ID|NYC_PROCESS_ID|NYC_ROOT_ID|SW_ORIG_.*|TAP_CHILD_ID|TAP_CHILD_KEY|_TAPJS_PROCESSINFO_.*|_)$/;

/** A folder of the library with which nyc before 15 starts programs. */
const SPAWN_WRAP = /(?<=node-spawn-wrap-)\d+-[\da-f]+/g;

/** Runs the command with and without the taps and expects the code under test to see the same. */
export async function expectUndisturbed(project: TestProject, command: string): Promise<void> {
  const natively = await project.runNatively(command);
  const native = seen(project);
  const tapped = await project.run(command);
  expect(seen(project)).toEqual(native);
  expect(tapped.exitCode, tapped.tail).toBe(natively.exitCode);
}

function seen(project: TestProject): unknown {
  const text = project.read('seen.json').replaceAll(SPAWN_WRAP, 'ID');
  project.write({ 'seen.json': '{}' });
  const found = JSON.parse(text) as Record<string, unknown>;
  expect(Object.keys(found)).toContain('inShell');
  const shell = String(found.inShell).split('\n');
  return {
    ...found,
    environment: stable(found.environment as Record<string, string>),
    inChild: stable(found.inChild as Record<string, string>),
    inShell: shell.filter((line) => !CHANGING.test(line.split('=')[0] ?? '')),
  };
}

function stable(environment: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !CHANGING.test(name)));
}
