import childProcess, { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { guardFileSchema } from '../../../src/config/guard-files/guard-file.ts';
import { runHook } from '../../../src/interfaces/hooks/run-hook.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { WarmLedgerFile } from '../../../src/store/ledger/open-ledger-file.ts';
import { readFeatures, recordFeatures } from '../../../src/store/ledger/tables/feature-table.ts';
import { recordGuard } from '../../../src/store/ledger/tables/learned-guards.ts';
import { type Answer, HookedProject, LIST_PATH } from '../../support/hooked-project.ts';
import { further, rows } from '../../support/thorough.ts';

/** Every event is answered by one thread that keeps its ledger open, as in the resident process. */
class WarmProject extends HookedProject {
  readonly warm = new WarmLedgerFile();
  #looks = 0;

  override async hookText(text: string): Promise<Answer> {
    let stdout = '';
    let stderr = '';
    const exitCode = await runHook([this.hooksOf], {
      env: this.agentEnv(),
      cwd: this.folder,
      warm: this.warm,
      readInput: () => text,
      stdout: (more) => {
        stdout += more;
      },
      stderr: (more) => {
        stderr += more;
      },
    });
    return { exitCode, json: stdout === '' ? {} : JSON.parse(stdout), stderr };
  }

  /** The decision about a command, without running it. */
  async decide(command: string): Promise<string | undefined> {
    this.#looks += 1;
    const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `look-${this.#looks}` };
    const { json } = await this.hook({ hook_event_name: 'PreToolUse', ...call });
    await this.hook({ hook_event_name: 'PostToolUse', ...call, tool_response: {} });
    return json.hookSpecificOutput?.permissionDecision;
  }

  commit(message: string): void {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', message);
  }

  /** Between two sessions: without a sandbox, a live agent may have made the commit. */
  async commitAlone(message: string): Promise<void> {
    await this.hook({ hook_event_name: 'SessionEnd', reason: 'exit' });
    this.commit(message);
    this.session = randomUUID();
  }

  /** Through a connection of its own, as another process has. */
  beside<Result>(work: (ledger: ReturnType<typeof openLedger>) => Result): Result {
    const ledger = openLedger({ path: join(this.dataFolder, 'ledger.db') });
    try {
      return work(ledger);
    } finally {
      ledger.close();
    }
  }
}

const guardFile = (program: string) =>
  `id: no-program\nsummary: A program is not used.\ncommands:\n  - {program: ${program}}\nreason: Use another.\nguidance: See the list.\n`;

let project: WarmProject;
beforeEach(async () => {
  project = new WarmProject();
  project.write('.guardkit/guards/no-program.yaml', guardFile('curl'));
  project.commit('A guard');
  await project.begin();
  // Twice: the second finds everything kept.
  for (let count = 0; count < 2; count += 1)
    expect([await project.decide('curl x'), await project.decide('wget x')]).toEqual(['deny', undefined]);
});
afterEach(() => {
  project.warm.close();
  rmSync(project.folder, { recursive: true, force: true });
});

describe('the next event notices', () => {
  it('a guard that a person changed and committed', async () => {
    // The same size, so that only the times tell.
    project.write('.guardkit/guards/no-program.yaml', guardFile('wget'));
    await project.commitAlone('Another program');
    expect([await project.decide('curl x'), await project.decide('wget x')]).toEqual([undefined, 'deny']);
  });

  further('another branch', async () => {
    project.git('switch', '-q', '-c', 'other');
    project.write('.guardkit/guards/no-program.yaml', guardFile('wget'));
    await project.commitAlone('Another program');
    expect(await project.decide('wget x')).toBe('deny');
    project.git('switch', '-q', 'main');
    expect([await project.decide('curl x'), await project.decide('wget x')]).toEqual(['deny', undefined]);
  });

  further('a branch without a commit, on which the last guards stay in force', async () => {
    project.git('checkout', '-q', '--orphan', 'empty');
    expect([await project.decide('curl x'), await project.decide('wget x')]).toEqual(['deny', undefined]);
  });

  further('refs in a form that git cannot read, and refuses', async () => {
    project.write('.git/reftable/tables.list', 'missing.ref\n');
    project.write('.git/HEAD', 'ref: refs/heads/.invalid\n');
    project.git('config', '--file', '.git/config', 'core.repositoryFormatVersion', '1');
    project.git('config', '--file', '.git/config', 'extensions.refStorage', 'reftable');
    const call = { tool_name: 'Bash', tool_input: { command: 'curl x' }, tool_use_id: 'refs' };
    const { exitCode, json } = await project.hook({ hook_event_name: 'PreToolUse', ...call });
    expect(exitCode === 2 || json.hookSpecificOutput?.permissionDecision === 'deny').toBe(true);
  });

  further('a setting of the configuration that a person committed', async () => {
    project.write('.guardkit/config.yaml', 'project: shop-1\nguards: {no-program: off}\n');
    await project.commitAlone('Off');
    expect(await project.decide('curl x')).toBeUndefined();
  });

  it('a waiver that another process has issued, and that it was used up elsewhere', async () => {
    const until = new Date(Date.now() + 60_000).toISOString();
    project.beside((ledger) =>
      ledger.append('shop-1', 'waiver_issued', {
        waiver_id: 'W-1',
        guard: 'no-program',
        until,
        uses: 2,
        reason: 'once',
        by: 'Ada',
      }),
    );
    expect(await project.decide('curl x')).toBeUndefined();
    project.beside((ledger) =>
      ledger.append('shop-1', 'waiver_used', {
        waiver_id: 'W-1',
        guard: 'no-program',
        session: 'other',
        agent: 'claude',
        agent_type: null,
        action: 'curl',
      }),
    );
    expect(await project.decide('curl x')).toBe('deny');
  });

  further('a pause that another process has recorded, and its end', async () => {
    const until = new Date(Date.now() + 60_000).toISOString();
    project.beside((ledger) =>
      ledger.append('shop-1', 'protection_paused', { until, reason: '', by: 'Ada' }),
    );
    expect(await project.decide('curl x')).toBeUndefined();
    project.beside((ledger) =>
      ledger.append('shop-1', 'protection_resumed', { by: 'Ada', automatic: false }),
    );
    expect(await project.decide('curl x')).toBe('deny');
  });

  further('a guard that another process has learned', async () => {
    const at = new Date().toISOString();
    const known = { at, actions: 0, fired: 0, violations: 0, approved: 0, unknown: 0, false_blocks: [] };
    const guard = {
      guard_id: 'no-wget',
      mode: 'enforce' as const,
      pattern_id: 'P-1',
      origin: 'shop-1',
      backtest: known,
      proposed_at: at,
      mode_since: at,
      definition: guardFileSchema.parse({
        id: 'no-wget',
        summary: 'wget is not used.',
        commands: [{ program: 'wget' }],
        reason: 'Use another.',
        guidance: 'See the list.',
      }),
    };
    project.beside((ledger) =>
      recordGuard(ledger, 'shop-1', { change: 'promoted', by: 'Ada', why: '', guard }),
    );
    expect(await project.decide('wget x')).toBe('deny');
  });

  it('a feature list that changed in place, with its times set back', async () => {
    const { atime, mtime } = statSync(project.path(LIST_PATH));
    const claimed = project.read(LIST_PATH).replace('"tested": false', '"tested": true ');
    writeFileSync(project.path(LIST_PATH), claimed);
    utimesSync(project.path(LIST_PATH), atime, mtime);
    await project.decide('ls');
    expect(project.list().features.some(({ tested }) => tested)).toBe(false);
  });

  it('a feature list that changed again, after its text was compared', async () => {
    const text = project.read(LIST_PATH);
    const edits = [
      text.replace('"tested": false', '"tested": true '),
      text,
      text.replace('"features"', '"Features"'),
    ];
    for (const edit of edits) {
      // Each command has the content compared.
      await project.decide('ls');
      await project.decide('ls');
      writeFileSync(project.path(LIST_PATH), edit);
      await project.decide('ls');
      expect(project.read(LIST_PATH)).toBe(text);
    }
  });

  further('features that another process has recorded', async () => {
    project.beside((ledger) => {
      const [first] = readFeatures(ledger, 'shop-1');
      if (!first) throw new Error('no features');
      recordFeatures(ledger, 'shop-1', {
        by: 'verification',
        actor: 'guardkit',
        features: [{ ...first, tested: true }],
      });
    });
    await project.decide('ls');
    expect(project.list().features[0]).toMatchObject({ tested: true });
  });

  further('hooks that git’s configuration moves elsewhere', async () => {
    const target = project.path('scripts/githooks/pre-commit');
    const write = { tool_name: 'Write', tool_input: { file_path: target, content: 'x' } };
    const ask = async (id: string) => {
      const { json } = await project.hook({ hook_event_name: 'PreToolUse', ...write, tool_use_id: id });
      await project.hook({ hook_event_name: 'PostToolUse', ...write, tool_use_id: id, tool_response: {} });
      return json.hookSpecificOutput?.permissionDecision;
    };
    expect(await ask('w-1')).toBeUndefined();
    project.git('config', 'core.hooksPath', 'scripts/githooks');
    expect(await ask('w-2')).toBe('deny');
  });

  it('each change of a protected file, also twice in a row', async () => {
    const settings = project.path('.claude/settings.json');
    mkdirSync(join(settings, '..'), { recursive: true });
    const notices = async () => {
      const { json } = await project.hook({ hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
      return json.systemMessage?.includes('.claude/settings.json') ?? false;
    };
    for (const value of ['1', '2', '3']) {
      writeFileSync(settings, `{"env": {"A": "${value}"}}`);
      expect(await notices()).toBe(true);
      expect(await notices()).toBe(false);
    }
  });

  it.each(rows(1, ['src/inner', 'app/inner']))('agent settings in a new folder, %s', async (folder) => {
    const settings = `${folder}/.claude/settings.json`;
    const notices = async () => {
      const { json } = await project.hook({ hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
      return json.systemMessage?.includes(settings) ?? false;
    };
    expect(await notices()).toBe(false);
    project.write(settings, '{"env": {"A": "1"}}');
    expect(await notices()).toBe(true);
  });

  further('a definition that became pending, at the next start of a session', async () => {
    const pending = async () => (await project.begin()).json.systemMessage?.includes('more.yaml') ?? false;
    expect([await pending(), await pending()]).toEqual([false, false]);
    const call = { tool_name: 'Bash', tool_input: { command: 'make rules' }, tool_use_id: 'rules' };
    await project.hook({ hook_event_name: 'PreToolUse', ...call });
    project.write('.guardkit/guards/more.yaml', guardFile('wget').replace('no-program', 'more'));
    await project.hook({ hook_event_name: 'PostToolUse', ...call, tool_response: {} });
    expect(await pending()).toBe(true);
  });

  further('another ledger in place of its own', async () => {
    const ledger = join(project.dataFolder, 'ledger.db');
    renameSync(ledger, `${ledger}-before`);
    expect((await project.hook({ hook_event_name: 'PreToolUse', tool_name: 'Bash' })).exitCode).toBe(2);
    renameSync(`${ledger}-before`, ledger);
    expect(await project.decide('curl x')).toBe('deny');
  });
});

const hasRefTables = spawnSync('git', ['init', '-h'], { encoding: 'utf8' }).stdout.includes('--ref-format');

it.skipIf(!hasRefTables)('the guards of a repository with reftable are in force', async () => {
  project.git('refs', 'migrate', '--ref-format=reftable');
  expect([await project.decide('curl x'), await project.decide('wget x')]).toEqual(['deny', undefined]);
  project.write('.guardkit/guards/no-program.yaml', guardFile('wget'));
  await project.commitAlone('Another program');
  expect([await project.decide('curl x'), await project.decide('wget x')]).toEqual([undefined, 'deny']);
});

it('a decision without changes starts no process', async () => {
  // Looks at the commits of the last two seconds once more.
  await project.stop();
  let started = 0;
  const real = { ...childProcess };
  const counted = (name: 'spawn' | 'spawnSync' | 'execFileSync') =>
    ((...args: Parameters<typeof childProcess.spawnSync>) => {
      started += 1;
      return (real[name] as (...args: unknown[]) => unknown)(...args);
    }) as never;
  for (const name of ['spawn', 'spawnSync', 'execFileSync'] as const) childProcess[name] = counted(name);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(childProcess, real);
    syncBuiltinESMExports();
  });
  spawnSync('true');
  expect(started).toBe(1);
  expect([await project.decide('curl x'), await project.decide('npm test')]).toEqual(['deny', undefined]);
  await project.stop();
  expect(started).toBe(1);
});
