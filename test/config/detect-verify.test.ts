import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { detectVerify } from '../../src/config/detect-verify.ts';

function project(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'guardkit-detect-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const NODE = JSON.stringify({ scripts: { test: 'vitest run' } });

it.each<[string, Record<string, string>, string, string | undefined]>([
  ['npm', { 'package.json': NODE, 'package-lock.json': '{}' }, 'npm test', 'npm ci'],
  ['npm', { 'package.json': NODE }, 'npm test', 'npm install'],
  ['pnpm', { 'package.json': NODE, 'pnpm-lock.yaml': '' }, 'pnpm test', 'pnpm install --frozen-lockfile'],
  ['yarn', { 'package.json': NODE, 'yarn.lock': '' }, 'yarn test', 'yarn install --frozen-lockfile'],
  [
    'yarn',
    { 'package.json': NODE, 'yarn.lock': '', '.yarnrc.yml': '' },
    'yarn test',
    'yarn install --immutable',
  ],
  ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]' }, 'python -m pytest', undefined],
  ['go', { 'go.mod': 'module x' }, 'go test ./...', 'go mod download'],
  ['cargo', { 'Cargo.toml': '[package]' }, 'cargo test', 'cargo fetch'],
  ['maven', { 'pom.xml': '<project/>', mvnw: '' }, './mvnw -B test', undefined],
])('a %s project with %j is tested by %s', (kind, files, tests, setup) => {
  const found = detectVerify(project(files));
  expect(found?.kind).toBe(kind);
  expect(found?.verify.tests?.command).toBe(tests);
  expect(found?.verify.setup).toBe(setup);
});

it.each([
  ['an empty folder', {}],
  [
    'npm’s placeholder',
    { 'package.json': JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }) },
  ],
  ['a package.json that is not JSON', { 'package.json': '{' }],
])('nothing is made up for %s', (_what, files) => {
  expect(detectVerify(project(files as Record<string, string>))).toBeUndefined();
});
