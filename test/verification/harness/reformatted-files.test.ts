import { expect, it } from 'vitest';
import { type Files, shortChanges } from './tree-fixture.ts';

const BASE: Files = {
  'package.json': JSON.stringify({ scripts: { test: 'vitest run && node check.js' } }),
  'vitest.config.ts': "export default { test: { setupFiles: ['./test/setup.ts'] } }\n",
  'test/setup.ts': "import { vi } from 'vitest'\nvi.setConfig({ testTimeout: 1000 })\n",
  'check.js': "console.log('checked')\n",
  'tsconfig.json': '{"compilerOptions": {"strict": true}}',
};

it('configuration and set-up that only a formatter changed are the same harness', async () => {
  const formatted = {
    'vitest.config.ts': 'export default { test: { setupFiles: ["./test/setup.ts"] } };\n',
    'test/setup.ts': 'import { vi } from "vitest";\n\nvi.setConfig({\n\ttestTimeout: 1000,\n});\n',
    'tsconfig.json': '{\n  "compilerOptions": {\n    "strict": true\n  }\n}\n',
  };
  expect(await shortChanges('npm test', BASE, formatted)).toEqual([]);
});

it.each([
  ['vitest.config.ts', "export default { test: { setupFiles: ['./test/other.ts'] } };\n"],
  ['vitest.config.ts', "export default { test: { setupFiles: ['./test/setup.ts'], include: [] } };\n"],
  ['test/setup.ts', "import { vi } from 'vitest';\nvi.setConfig({ testTimeout: 2000 });\n"],
])('a change within a formatted %s is found', async (path, text) => {
  const changes = await shortChanges('npm test', BASE, { [path]: text });
  expect(changes.some((change) => change.startsWith(`changed ${path}`))).toBe(true);
});

it('a section of pyproject.toml may be formatted, and a changed one is found', async () => {
  const base: Files = { 'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths=["tests"]\n' };
  const spaced = { 'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = [\n  "tests",\n]\n' };
  expect(await shortChanges('pytest', base, spaced)).toEqual([]);
  const other = { 'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = ["other"]\n' };
  expect(await shortChanges('pytest', base, other)).toHaveLength(1);
});
