import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  pluginHooks,
  pluginManifest,
  pluginMarketplace,
} from '../../../src/enforcement/install/plugin-files.ts';
import { CLAUDE_SESSION } from '../../../src/enforcement/install/session-forms.ts';
import { claudeProgram } from '../../orchestration/drivers/driver-benches.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PLUGIN = fileURLToPath(new URL('../../../plugin', import.meta.url));
const PACKAGE = fileURLToPath(new URL('../../../package.json', import.meta.url));
const PROGRAM = claudeProgram();
const VALIDATE_MS = 60_000;

const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

describe('the plugin for Claude Code', () => {
  it('has the hooks that init installs for a team', async () => {
    await expect(text(pluginHooks())).toMatchFileSnapshot(join(PLUGIN, 'hooks/hooks.json'));
  });

  it('carries the package’s own version', async () => {
    const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
    await expect(text(pluginManifest(version))).toMatchFileSnapshot(
      join(PLUGIN, '.claude-plugin/plugin.json'),
    );
  });

  it('can be installed from its own folder', async () => {
    await expect(text(pluginMarketplace())).toMatchFileSnapshot(
      join(PLUGIN, '.claude-plugin/marketplace.json'),
    );
  });

  it('brings three agents with their skills, and three commands', () => {
    expect(CLAUDE_SESSION.files().map(({ path }) => path)).toEqual([
      '.claude/agents/coding-agent.md',
      '.claude/agents/initializer-agent.md',
      '.claude/agents/tester-agent.md',
      '.claude/commands/feature-build.md',
      '.claude/commands/guardkit-run.md',
      '.claude/commands/task-work.md',
      '.claude/skills/browser-testing/SKILL.md',
      '.claude/skills/incremental-coding/SKILL.md',
      '.claude/skills/project-initialization/SKILL.md',
    ]);
  });

  it.each(CLAUDE_SESSION.files())('has at most 100 lines: $path', ({ text: said }) => {
    expect(said.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
  });

  it('gives each agent an existing skill', () => {
    const files = CLAUDE_SESSION.files();
    const skills = files
      .filter(({ path }) => path.includes('/agents/'))
      .map((one) => field(one.text, 'skills'));
    expect(skills).toEqual(['incremental-coding', 'project-initialization', 'browser-testing']);
    for (const skill of skills)
      expect(field(files.find(({ path }) => path.includes(`/skills/${skill}/`))?.text, 'name')).toBe(skill);
  });

  it.skipIf(!PROGRAM)(
    'is valid for the real Claude Code',
    async () => {
      const home = temporaryFolder();
      const run = promisify(execFile)(String(PROGRAM), ['plugin', 'validate', '--strict', PLUGIN], {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, DISABLE_AUTOUPDATER: '1' },
      });
      await expect(run).resolves.toMatchObject({ stdout: expect.stringMatching(/passed/i) });
    },
    VALIDATE_MS,
  );
});

function field(said: string | undefined, name: string): string | undefined {
  return new RegExp(`^${name}: (.+)$`, 'm').exec(said ?? '')?.[1];
}
