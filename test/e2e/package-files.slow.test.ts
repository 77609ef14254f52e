import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let files: string[];

beforeAll(() => {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  files = JSON.parse(said)[0].files.map(({ path }: { path: string }) => path);
});

it('the package contains the script for the code cache and its imports [START-2]', () => {
  const needed = new Set(['scripts/make-code-cache.js']);
  for (const script of needed) {
    expect(files).toContain(script);
    const text = readFileSync(join(ROOT, script), 'utf8');
    for (const [, from = ''] of text.matchAll(/^(?:import|export)\b[^'"]*\bfrom '([^']+)';$/gm))
      if (!from.startsWith('node:')) needed.add(join(dirname(script), from));
    for (const [one] of text.matchAll(/\bscripts\/[\w-]+\.c?js\b/g)) needed.add(one);
  }
  // No unneeded file, and at least one.
  expect([...needed].sort()).toEqual(files.filter((path) => path.startsWith('scripts/')));
});

it('the package contains the program, and no code cache of the Node it was built with [START-2]', () => {
  const program = files.filter((path) => /^dist\/program\/program-\w+\.js$/.test(path));
  expect(program).toHaveLength(1);
  expect(files.filter((path) => path.endsWith('.cache'))).toEqual([]);
});

it('the package contains the built dashboard, and no pictures of it', () => {
  const built = ['app.js', 'icon.svg', 'index.html', 'style.css'].map((name) => `dist/dashboard/${name}`);
  expect(files).toEqual(expect.arrayContaining(built));
  expect(files.filter((path) => path.startsWith('docs/pictures/'))).toEqual([]);
});
