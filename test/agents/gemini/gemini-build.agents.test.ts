import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGeminiServer } from '../../support/gemini-server.ts';
import {
  BuildScript,
  FORBIDDEN,
  pathWith,
  refusalsOf,
  runScriptedBuild,
  threeTurns,
  tryScriptedBuild,
} from '../scripted-build.ts';
import { geminiActs } from './gemini-acts.ts';
import { GEMINI } from './gemini-machine.ts';

const DRIVERS = { gemini: { model: 'gemini-2.5-flash' } };

describe.skipIf(GEMINI === undefined)('feature-build with the real Gemini CLI', () => {
  it('refuses a cheat in the first turn and ends in an approval in the third', async () => {
    const script = new BuildScript(threeTurns());
    const { url } = await startGeminiServer(geminiActs(script));
    const { project, built } = await runScriptedBuild(DRIVERS, ['--driver', 'gemini'], ({ sandbox }) => ({
      PATH: pathWith(String(GEMINI), sandbox.env),
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: url,
    }));
    onTestFinished(() => project.cleanup());
    expect(script.unexpected).toEqual([]);
    expect(built).toMatchObject({ exitCode: 0, json: { outcome: 'approved' } });
    expect(built.turns).toMatchObject([
      { coach_decision: 'feedback', tests_failed: 0, files_modified: ['src/sub.js'] },
      { coach_decision: 'rejected', tests_failed: 1, files_modified: ['test/sub.test.js'] },
      { coach_decision: 'approved', tests_passed: 2, tests_failed: 0, files_modified: ['src/sub.js'] },
    ]);
    // The policy refuses the Coach's edit before a hook sees it.
    expect(refusalsOf(project)).toEqual([
      ['gemini', 'player', 1, 'protected-set'],
      ['gemini', 'player', 1, 'protected-set'],
    ]);
    expect(readFileSync(join(project.worktree, FORBIDDEN), 'utf8')).toContain('verify:');
  });

  it('ends a run whose hooks do not fire and does not count its turn', async () => {
    const script = new BuildScript(threeTurns());
    const { url } = await startGeminiServer(geminiActs(script));
    const { project, result } = await tryScriptedBuild(DRIVERS, ['--driver', 'gemini'], ({ sandbox }) => {
      // A Gemini CLI that reads other settings.
      const settings = '{"security":{"auth":{"selectedType":"gemini-api-key"}}}';
      const program = sandbox.write(
        'programs/gemini',
        `#!/bin/sh\nexport GEMINI_CLI_HOME=$(mktemp -d)\nmkdir $GEMINI_CLI_HOME/.gemini\n` +
          `echo '${settings}' > $GEMINI_CLI_HOME/.gemini/settings.json\nexec '${GEMINI}' "$@"\n`,
      );
      chmodSync(program, 0o755);
      return {
        PATH: pathWith(program, sandbox.env),
        GEMINI_API_KEY: 'none',
        GOOGLE_GEMINI_BASE_URL: url,
      };
    });
    onTestFinished(() => project.cleanup());
    expect(result.exitCode).toBe(3);
    expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: 'driver.unguarded' } });
    expect(existsSync(join(project.worktree, 'src/sub.js'))).toBe(false);
    expect(project.git('-C', project.worktree, 'status', '--porcelain')).toBe('');
  });
});
