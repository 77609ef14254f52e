import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startChatServer } from '../../support/chat-server.ts';
import { startGeminiServer } from '../../support/gemini-server.ts';
import { geminiActs } from '../gemini/gemini-acts.ts';
import { GEMINI } from '../gemini/gemini-machine.ts';
import {
  BuildScript,
  FORBIDDEN,
  pathWith,
  refusalsOf,
  runScriptedBuild,
  threeTurns,
  tryScriptedBuild,
} from '../scripted-build.ts';
import { opencodeActs } from './opencode-acts.ts';
import { loopProvider, OPENCODE } from './opencode-machine.ts';

const settings = (url: string) => ({
  opencode: { model: 'loop/m', provider: loopProvider(url) as Record<string, never> },
});
const OFFLINE = { OPENCODE_DISABLE_MODELS_FETCH: '1' };

describe.skipIf(OPENCODE === undefined)('feature-build with the real OpenCode', () => {
  it('refuses a cheat in the first turn and ends in an approval in the third', async () => {
    const script = new BuildScript(threeTurns());
    const { url } = await startChatServer(opencodeActs(script));
    const { project, built } = await runScriptedBuild(
      settings(url),
      ['--driver', 'opencode'],
      ({ sandbox }) => ({ PATH: pathWith(String(OPENCODE), sandbox.env), ...OFFLINE }),
    );
    onTestFinished(() => project.cleanup());
    expect(script.unexpected).toEqual([]);
    expect(built).toMatchObject({ exitCode: 0, json: { outcome: 'approved' } });
    expect(built.turns).toMatchObject([
      { coach_decision: 'feedback', tests_failed: 0, files_modified: ['src/sub.js'] },
      { coach_decision: 'rejected', tests_failed: 1, files_modified: ['test/sub.test.js'] },
      { coach_decision: 'approved', tests_passed: 2, tests_failed: 0, files_modified: ['src/sub.js'] },
    ]);
    // The Coach has no edit tools.
    expect(refusalsOf(project)).toEqual([
      ['opencode', 'player', 1, 'protected-set'],
      ['opencode', 'player', 1, 'protected-set'],
    ]);
    expect(readFileSync(join(project.worktree, FORBIDDEN), 'utf8')).toContain('verify:');
    expect(existsSync(join(project.worktree, '.opencode'))).toBe(false);
  });

  it.skipIf(GEMINI === undefined)('builds with Gemini CLI as Player and OpenCode as Coach', async () => {
    const script = new BuildScript(threeTurns());
    const gemini = await startGeminiServer(geminiActs(script));
    const { url, requests } = await startChatServer(opencodeActs(script));
    const { project, built } = await runScriptedBuild(
      { ...settings(url), gemini: { model: 'gemini-2.5-flash' } },
      ['--driver', 'gemini', '--coach-driver', 'opencode'],
      ({ sandbox }) => ({
        PATH: pathWith(String(OPENCODE), { ...sandbox.env, PATH: pathWith(String(GEMINI), sandbox.env) }),
        GEMINI_API_KEY: 'none',
        GOOGLE_GEMINI_BASE_URL: gemini.url,
        ...OFFLINE,
      }),
    );
    onTestFinished(() => project.cleanup());
    expect(script.unexpected).toEqual([]);
    expect(built).toMatchObject({ exitCode: 0, json: { outcome: 'approved' } });
    expect(built.turns.map(({ coach_decision }) => coach_decision)).toEqual([
      'feedback',
      'rejected',
      'approved',
    ]);
    expect(refusalsOf(project)).toEqual([
      ['gemini', 'player', 1, 'protected-set'],
      ['gemini', 'player', 1, 'protected-set'],
    ]);
    expect([gemini.requests.length > 0, requests.length > 0]).toEqual([true, true]);
  });

  it('ends a run whose plugin does not load and does not count its turn', async () => {
    const script = new BuildScript(threeTurns());
    const { url } = await startChatServer(opencodeActs(script));
    const { project, result } = await tryScriptedBuild(
      settings(url),
      ['--driver', 'opencode'],
      ({ sandbox }) => {
        const program = sandbox.write(
          'programs/opencode',
          `#!/bin/sh\nexport OPENCODE_PURE=1\nexec '${OPENCODE}' "$@"\n`,
        );
        chmodSync(program, 0o755);
        return { PATH: pathWith(program, sandbox.env), ...OFFLINE };
      },
    );
    onTestFinished(() => project.cleanup());
    expect(result.exitCode).toBe(3);
    expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: 'driver.unguarded' } });
    expect(existsSync(join(project.worktree, 'src/sub.js'))).toBe(false);
    expect(project.git('-C', project.worktree, 'status', '--porcelain')).toBe('');
  });
});
