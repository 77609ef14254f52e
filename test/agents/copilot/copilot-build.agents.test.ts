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
import { copilotActs } from './copilot-acts.ts';
import { COPILOT_PROGRAM, copilotService } from './copilot-machine.ts';

describe.skipIf(COPILOT_PROGRAM === undefined)('feature-build with the real Copilot CLI', () => {
  it('refuses a cheat in the first turn and ends in an approval in the third', async () => {
    const script = new BuildScript(threeTurns());
    const { url } = await startChatServer(copilotActs(script));
    const { project, built } = await runScriptedBuild({}, ['--driver', 'copilot'], ({ sandbox }) => ({
      PATH: pathWith(String(COPILOT_PROGRAM), sandbox.env),
      ...copilotService(url),
    }));
    onTestFinished(() => project.cleanup());
    expect(script.unexpected).toEqual([]);
    expect(built).toMatchObject({ exitCode: 0, json: { outcome: 'approved' } });
    expect(built.turns).toMatchObject([
      { coach_decision: 'feedback', tests_failed: 0, files_modified: ['src/sub.js'] },
      { coach_decision: 'rejected', tests_failed: 1, files_modified: ['test/sub.test.js'] },
      { coach_decision: 'approved', tests_passed: 2, tests_failed: 0, files_modified: ['src/sub.js'] },
    ]);
    // Hooks also see calls of tools that are switched off.
    expect(refusalsOf(project)).toEqual([
      ['copilot', 'player', 1, 'protected-set'],
      ['copilot', 'player', 1, 'protected-set'],
      ['copilot', 'coach', 1, 'role-limits'],
    ]);
    expect(readFileSync(join(project.worktree, FORBIDDEN), 'utf8')).toContain('verify:');
  });

  it('ends a run whose hooks do not fire and does not count its turn', async () => {
    const script = new BuildScript(threeTurns());
    const { url } = await startChatServer(copilotActs(script));
    const { project, result } = await tryScriptedBuild({}, ['--driver', 'copilot'], ({ sandbox }) => {
      // A Copilot CLI that reads other settings.
      const program = sandbox.write(
        'programs/copilot',
        `#!/bin/sh\nexport COPILOT_HOME=$(mktemp -d)\nexec '${COPILOT_PROGRAM}' "$@"\n`,
      );
      chmodSync(program, 0o755);
      return {
        PATH: `${join(program, '..')}:${pathWith(String(COPILOT_PROGRAM), sandbox.env)}`,
        ...copilotService(url),
      };
    });
    onTestFinished(() => project.cleanup());
    expect(result.exitCode).toBe(3);
    expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: 'driver.unguarded' } });
    expect(existsSync(join(project.worktree, 'src/sub.js'))).toBe(false);
    expect(project.git('-C', project.worktree, 'status', '--porcelain')).toBe('');
  });
});
