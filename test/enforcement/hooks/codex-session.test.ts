import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHook } from '../../../src/interfaces/hooks/run-hook.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { HookedProject, LIST_PATH } from '../../support/hooked-project.ts';

class CodexProject extends HookedProject {
  override readonly hooksOf = 'codex';

  patch(...lines: string[]) {
    return this.act('apply_patch', {
      command: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'),
    });
  }

  /** The guards of all violations on record. */
  violations(): unknown[] {
    const ledger = openLedger({ path: join(this.dataFolder, 'ledger.db') });
    try {
      return ledger
        .entries('shop-1', { kind: 'violation_recorded' })
        .map(({ body }) => (body as unknown as { guard: string }).guard);
    } finally {
      ledger.close();
    }
  }

  /** The guards of all refusals on record. */
  refusals(): unknown[] {
    const ledger = openLedger({ path: join(this.dataFolder, 'ledger.db') });
    try {
      return ledger
        .entries('shop-1', { kind: 'action_judged' })
        .map(
          ({ body }) =>
            body as { agent: string; decision: string; tool: string; findings: { guard: string }[] },
        )
        .filter(({ decision }) => decision === 'deny')
        .map(({ agent, tool, findings }) => [agent, tool, findings[0]?.guard]);
    } finally {
      ledger.close();
    }
  }
}

describe('a session of Codex under hooks', () => {
  it('may not change protected files by patch, by move, by shell or by a patch in a shell', async () => {
    const project = new CodexProject();
    await project.begin();
    const refused = [
      await project.patch('*** Add File: .codex/hooks.json', '+{}'),
      await project.patch('*** Update File: src/cart.js', '*** Move to: .codex/config.toml'),
      await project.patch('*** Add File: a.txt', '+x', '*** Delete File: .guardkit/config.yaml'),
      await project.bash('echo x > .codex/hooks.json'),
      await project.bash(
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: .codex/x.toml\n+x\n*** End Patch\nEOF",
      ),
    ];
    expect(refused.map((one) => one.refused)).toEqual([true, true, true, true, true]);
    expect(project.refusals()).toEqual([
      ['codex', 'apply_patch', 'protected-set'],
      ['codex', 'apply_patch', 'protected-set'],
      ['codex', 'apply_patch', 'protected-set'],
      ['codex', 'Bash', 'protected-set'],
      ['codex', 'Bash', 'protected-set'],
    ]);
  });

  it('may not mark a feature as tested, also where the result of its patch is uncertain', async () => {
    const project = new CodexProject();
    await project.begin();
    const text = project.read(LIST_PATH).split('\n');
    const first = text.findIndex((line) => line.includes('FEAT-1'));
    const tested = text.findIndex((line, index) => index > first && line.includes('"tested"'));
    const context = text.slice(first, tested).map((line) => ` ${line}`);
    const exact = await project.patch(
      `*** Update File: ${LIST_PATH}`,
      '@@',
      ...context,
      `-${text[tested]}`,
      `+${text[tested]?.replace('false', 'true')}`,
    );
    const vague = await project.patch(
      `*** Update File: ${LIST_PATH}`,
      '@@',
      `-${text[tested]}`,
      `+${text[tested]?.replace('false', 'true')}`,
    );
    const gone = await project.patch(`*** Delete File: ${LIST_PATH}`);
    expect([exact.refused, vague.refused, gone.refused]).toEqual([true, true, true]);
  });

  it('may write ordinary files by patch and by shell', async () => {
    const project = new CodexProject();
    await project.begin();
    expect((await project.patch('*** Add File: src/new.js', '+export {};')).refused).toBe(false);
    expect((await project.bash('echo 1 > src/other.js && node --version')).refused).toBe(false);
    expect(project.refusals()).toEqual([]);
  });

  it('may not start a program that it types into later, nor send a patch that GuardKit cannot read', async () => {
    const project = new CodexProject();
    await project.begin();
    const shell = await project.bash('bash --norc');
    const patch = await project.act('apply_patch', { command: 'not a patch' });
    expect([shell.refused, patch.refused]).toEqual([true, true]);
    expect(project.refusals()).toEqual([
      ['codex', 'Bash', 'unseen-effects'],
      ['codex', 'apply_patch', 'unseen-effects'],
    ]);
  });

  it('cannot send events from its own commands', async () => {
    const project = new CodexProject();
    await project.begin();
    const env = { ...project.agentEnv(), CODEX_TOOL_CALL_ID: 'call_1' };
    const exitCode = await runHook(['codex'], {
      env,
      cwd: project.folder,
      readInput: () =>
        JSON.stringify({
          session_id: project.session,
          cwd: project.folder,
          hook_event_name: 'PreToolUse',
          tool_name: 'Bash',
          tool_input: { command: 'ls' },
          tool_use_id: 't',
        }),
      stdout: () => {},
      stderr: () => {},
    });
    expect(exitCode).toBe(2);
    expect(project.violations()).toEqual(['hook-forgery']);
  });
});
