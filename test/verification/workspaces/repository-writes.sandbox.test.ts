import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CheatBase, config, HONEST, QUICK_PROJECT } from '../cheats/cheat-project.ts';

const PREPARES = `set -e
git config core.hooksPath .hooks
git config feature.manyFiles true
mkdir -p node_modules
git config core.hooksPath > node_modules/hooks-path
`;

it('a set-up can write git’s configuration, and the repository keeps its own', { timeout: 180_000 }, async ({
  onTestFinished,
}) => {
  const base = new CheatBase({
    ...QUICK_PROJECT,
    'prepare.sh': PREPARES,
    '.gitignore': 'node_modules\n',
    '.guardkit/config.yaml': config(
      'setup: sh prepare.sh\ntests:\n  command: grep -qx .hooks node_modules/hooks-path && ! git config core.hooksPath && node tests.mjs\n',
    ),
  });
  onTestFinished(() => base.cleanup());
  const project = base.project();
  const before = readFileSync(project.path('.git/config'), 'utf8');
  project.write(HONEST);
  const { gates, stderr } = await project.verify();
  expect(gates.get('tests'), stderr).toMatchObject({ result: 'pass' });
  expect(readFileSync(project.path('.git/config'), 'utf8')).toBe(before);
});
