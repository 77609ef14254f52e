import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { turnRecord } from '../../../src/orchestration/turns/turn-record.ts';
import { claudeProgram } from '../../orchestration/drivers/driver-benches.ts';
import { startMessagesServer } from '../../support/messages-server.ts';
import { startResponsesServer } from '../../support/responses-server.ts';
import { messagesActs } from '../claude/messages-acts.ts';
import {
  BuildScript,
  FORBIDDEN,
  pathWith,
  refusalsOf,
  runScriptedBuild,
  TEST_NAME,
  threeTurns,
  tryScriptedBuild,
} from '../scripted-build.ts';
import { loopSettings } from './codex-bench.ts';
import { CODEX } from './codex-machine.ts';
import { responsesActs } from './responses-acts.ts';

describe.skipIf(CODEX === undefined)('feature-build with the real Codex', () => {
  it('refuses a cheat in the first turn and ends in an approval in the third', async () => {
    const script = new BuildScript(threeTurns());
    const { url } = await startResponsesServer(responsesActs(script));
    const { project, built } = await runScriptedBuild(
      { codex: { model: 'gpt-5.5', env: ['LOOP_KEY'], settings: loopSettings(url) } },
      ['--driver', 'codex'],
      ({ sandbox }) => ({ PATH: pathWith(String(CODEX), sandbox.env), LOOP_KEY: 'none' }),
    );
    onTestFinished(() => project.cleanup());
    expect(script.unexpected).toEqual([]);
    expect(built).toMatchObject({ exitCode: 0, json: { outcome: 'approved' } });
    expect(built.turns).toMatchObject([
      { coach_decision: 'feedback', tests_failed: 0, files_modified: ['src/sub.js'] },
      { coach_decision: 'rejected', tests_failed: 1, files_modified: ['test/sub.test.js'] },
      { coach_decision: 'approved', tests_passed: 2, tests_failed: 0, files_modified: ['src/sub.js'] },
    ]);
    expect(built.turns.map((turn) => turnRecord(turn).criteria_evidence).at(-1)).toEqual({
      'AC-001': TEST_NAME,
    });
    expect(refusalsOf(project)).toEqual([
      ['codex', 'player', 1, 'protected-set'],
      ['codex', 'player', 1, 'protected-set'],
      ['codex', 'coach', 1, 'role-limits'],
    ]);
    expect(readFileSync(join(project.worktree, FORBIDDEN), 'utf8')).toContain('verify:');
    expect(existsSync(join(project.worktree, '.codex'))).toBe(false);
  });

  it.skipIf(claudeProgram() === undefined)(
    'builds with Codex as Player and Claude Code as Coach',
    async () => {
      const script = new BuildScript(threeTurns());
      const { url, requests } = await startResponsesServer(responsesActs(script));
      const messages = await startMessagesServer(messagesActs(script, () => '/nowhere'));
      const { project, built } = await runScriptedBuild(
        { codex: { model: 'gpt-5.5', env: ['LOOP_KEY'], settings: loopSettings(url) } },
        ['--driver', 'codex', '--coach-driver', 'claude'],
        ({ sandbox }) => ({
          ...messages.env(sandbox.path('home')),
          PATH: pathWith(String(CODEX), sandbox.env),
          LOOP_KEY: 'none',
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
        ['codex', 'player', 1, 'protected-set'],
        ['codex', 'player', 1, 'protected-set'],
      ]);
      expect([requests.length > 0, messages.requests.length > 0]).toEqual([true, true]);
    },
  );

  it('ends a run whose hooks do not fire and does not count its turn', async () => {
    const script = new BuildScript(threeTurns());
    const { url } = await startResponsesServer(responsesActs(script));
    const args = ['--driver', 'codex'];
    const { project, result } = await tryScriptedBuild(
      { codex: { model: 'gpt-5.5', env: ['LOOP_KEY'], settings: loopSettings(url) } },
      args,
      ({ sandbox }) => {
        // A Codex that reads other settings, as if the hooks had lost their trust.
        const program = sandbox.write(
          'programs/codex',
          `#!/bin/sh\nexport CODEX_HOME=$(mktemp -d)\nexec '${CODEX}' "$@"\n`,
        );
        chmodSync(program, 0o755);
        return { PATH: pathWith(program, sandbox.env), LOOP_KEY: 'none' };
      },
    );
    onTestFinished(() => project.cleanup());
    expect(result.exitCode).toBe(3);
    expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: 'driver.unguarded' } });
    expect(
      project.recordedTurns().map(({ completed_at, player_decision }) => [completed_at, player_decision]),
    ).toEqual([[null, null]]);
    expect(project.refs().filter((ref) => /\/T\d+$/.test(ref))).toEqual([]);
    expect(existsSync(join(project.worktree, 'src/sub.js'))).toBe(false);
    expect(project.git('-C', project.worktree, 'status', '--porcelain')).toBe('');
    // It counts once the hooks are back.
    const { built } = await runScriptedBuild(project, [...args, '--resume'], ({ sandbox }) => ({
      PATH: pathWith(String(CODEX), sandbox.env),
      LOOP_KEY: 'none',
    }));
    expect(built.json.outcome).toBe('approved');
  });
});
