import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startChatServer } from '../../support/chat-server.ts';
import {
  BuildScript,
  FORBIDDEN,
  pathWith,
  refusalsOf,
  runScriptedBuild,
  threeTurns,
  tryScriptedBuild,
} from '../scripted-build.ts';
import { qwenActs } from './qwen-acts.ts';
import { QWEN_PROGRAM, qwenService } from './qwen-machine.ts';

describe.skipIf(QWEN_PROGRAM === undefined)('feature-build with the real Qwen Code', () => {
  it('refuses a cheat in the first turn and ends in an approval in the third', async () => {
    const script = new BuildScript(threeTurns());
    const { url } = await startChatServer(qwenActs(script));
    const { project, built } = await runScriptedBuild({}, ['--driver', 'qwen'], ({ sandbox }) => ({
      PATH: pathWith(String(QWEN_PROGRAM), sandbox.env),
      ...qwenService(url),
    }));
    onTestFinished(() => project.cleanup());
    expect(script.unexpected).toEqual([]);
    expect(built).toMatchObject({ exitCode: 0, json: { outcome: 'approved' } });
    expect(built.turns).toMatchObject([
      { coach_decision: 'feedback', tests_failed: 0, files_modified: ['src/sub.js'] },
      { coach_decision: 'rejected', tests_failed: 1, files_modified: ['test/sub.test.js'] },
      { coach_decision: 'approved', tests_passed: 2, tests_failed: 0, files_modified: ['src/sub.js'] },
    ]);
    // The Coach has no tool to edit with.
    expect(refusalsOf(project)).toEqual([
      ['qwen', 'player', 1, 'protected-set'],
      ['qwen', 'player', 1, 'protected-set'],
    ]);
    expect(readFileSync(join(project.worktree, FORBIDDEN), 'utf8')).toContain('verify:');
  });

  it('ends a run whose hooks do not fire and does not count its turn', async () => {
    const script = new BuildScript(threeTurns());
    const { url } = await startChatServer(qwenActs(script));
    const { project, result } = await tryScriptedBuild({}, ['--driver', 'qwen'], ({ sandbox }) => {
      // A Qwen Code that reads other settings.
      const program = sandbox.write(
        'programs/qwen',
        `#!/bin/sh\nexport QWEN_CODE_SYSTEM_SETTINGS_PATH=/nowhere\nexec '${QWEN_PROGRAM}' "$@"\n`,
      );
      chmodSync(program, 0o755);
      return {
        PATH: `${join(program, '..')}:${pathWith(String(QWEN_PROGRAM), sandbox.env)}`,
        ...qwenService(url),
      };
    });
    onTestFinished(() => project.cleanup());
    expect(result.exitCode).toBe(3);
    expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: 'driver.unguarded' } });
    expect(existsSync(join(project.worktree, 'src/sub.js'))).toBe(false);
    expect(project.git('-C', project.worktree, 'status', '--porcelain')).toBe('');
  });
});
