import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect } from 'vitest';
import { Sandbox } from '../../../support/cli.ts';

export const ADD = 'exports.add = (a, b) => a + b;\n';
export const ADD_TEST = `const test = require('node:test');
const assert = require('node:assert');
test('adds', () => assert.equal(require('./add.js').add(1, 2), 3));
`;

/** A new repository for each test, on which `init` is run. */
export function trialGround() {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
    sandbox.repository('shop');
  });
  afterEach(() => sandbox.cleanup());
  const read = (name: string) => readFileSync(sandbox.path('shop', name), 'utf8');
  return {
    get sandbox() {
      return sandbox;
    },
    config: () => read('.guardkit/config.yaml'),
    gates: () => read('.guardkit/config/quality-gates.yaml'),
    project(files: Record<string, unknown>): void {
      for (const [name, content] of Object.entries(files)) sandbox.write(`shop/${name}`, content);
      sandbox.git('shop', 'add', '--all');
      sandbox.git('shop', 'commit', '--quiet', '--message', 'Files');
    },
    async init(env: Record<string, string> = {}, ...args: string[]) {
      const all = ['init', '--yes', '--no-agent', '--json', ...args];
      const result = await sandbox.guardkit(all, { in: 'shop', env });
      expect(result.exitCode, result.stderr).toBe(0);
      return JSON.parse(result.stdout);
    },
    async check(): Promise<number | null> {
      return (await sandbox.guardkit(['config', 'check'], { in: 'shop' })).exitCode;
    },
  };
}
