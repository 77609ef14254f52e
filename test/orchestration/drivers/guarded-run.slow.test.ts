import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentDriver } from '../../../src/orchestration/drivers/agent-driver.ts';
import { runGuarded } from '../../../src/orchestration/drivers/agent-driver.ts';
import { claudeDriver } from '../../../src/orchestration/drivers/claude-driver.ts';
import { commandDriver } from '../../../src/orchestration/drivers/command-driver.ts';
import { scriptDriver } from '../../../src/orchestration/drivers/script-driver.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { DrivenProject } from '../../support/driven-project.ts';
import { LIST_PATH } from '../../support/hooked-project.ts';
import { type Reply, startMessagesServer } from '../../support/messages-server.ts';
import { further, rows } from '../../support/thorough.ts';
import { ANSWER, agentRequest } from './agent-request.ts';
import { claudeProgram, use } from './driver-benches.ts';

const CONFIG = '.guardkit/config.yaml';
const FLIP = `node -e "const fs = require('fs'); const path = '${LIST_PATH}'; fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('false', 'true'))"`;

function played(run: string[]): AgentDriver {
  return scriptDriver({ turns: [{ player: { run, report: ANSWER } }] });
}

describe('an agent that does not ask before it acts', () => {
  it('has effective files and the feature list restored, and changes no definition in force', async () => {
    const project = new DrivenProject();
    await project.begin();
    const run = await project.drive(
      played([
        `echo 'project: other' > ${CONFIG}`,
        'mkdir -p .claude/hooks && echo evil > .claude/hooks/start',
        FLIP,
        'echo "export const cart = [1];" > src/cart.js',
      ]),
    );
    expect(run.result.end).toMatchObject({ type: 'answered' });
    expect(project.entries('definition_proposed')).toMatchObject([{ path: CONFIG }]);
    expect(existsSync(project.path('.claude/hooks/start'))).toBe(false);
    expect(project.list().features.map(({ tested }) => tested)).toEqual([false, false]);
    expect(project.read('src/cart.js')).toContain('[1]');
    expect(run.restored.sort()).toEqual([LIST_PATH, '.claude/hooks/start'].sort());
    expect(project.entries('violation_recorded')).toMatchObject([{ path: LIST_PATH, agent_type: 'player' }]);
    expect(project.entries('file_restored')).toMatchObject([
      { path: '.claude/hooks/start', agent: 'script' },
    ]);
    expect(run.told.join('\n')).toContain('.claude/hooks/start');
  });

  it('cannot escape by removing git’s record of the checkout', async () => {
    const project = new DrivenProject();
    project.git('worktree', 'add', '-q', '../tree', '-b', 'work');
    const folder = join(project.folder, '../tree');
    const guards = project.guards('script', { folder });
    const request = await agentRequest({ folder, sandbox: undefined, env: project.personEnv(), guards });
    const record = readFileSync(join(folder, '.git'), 'utf8');
    await runGuarded(played([`rm .git; echo 'project: other' > ${CONFIG}`]), request);
    expect(readFileSync(join(folder, '.git'), 'utf8')).toBe(record);
    expect(guards.outcome().restored).toEqual(['.git']);
  });

  it('has nothing restored if it only does its work', async () => {
    const project = new DrivenProject();
    await project.begin();
    const run = await project.drive(played(['echo "export const cart = [2];" > src/cart.js; git add -A']));
    expect(run).toMatchObject({ refused: 0, restored: [], told: [] });
    expect(project.entries('violation_recorded')).toEqual([]);
  });

  it('is checked even if it crashes', async () => {
    const project = new DrivenProject();
    const run = await project.drive(
      commandDriver({ run: 'mkdir -p .claude/hooks; echo x > .claude/hooks/start; exit 3' }),
    );
    expect(run.result.end.type).toBe('crashed');
    expect(run.restored).toEqual(['.claude/hooks/start']);
  });

  it('is held responsible for the person’s settings only without a sandbox', async () => {
    const cases: [kept: boolean, writable: ((home: string) => string[]) | undefined][] = [
      [true, (home) => [join(home, '.agent')]],
      [false, (home) => [home]],
      [false, undefined],
      [true, () => []],
      [false, (home) => [join(home, '.gitconfig')]],
    ];
    for (const [kept, writable] of rows(3, cases)) {
      const project = new DrivenProject();
      const settings = join(project.home, '.gitconfig');
      writeFileSync(settings, '[user]\n\tname = Ada\n');
      const changed = '[core]\n\tfsmonitor = evil\n';
      const driver = played([
        `printf '${changed.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}' > ${settings}`,
      ]);
      const run = await project.drive(driver, { writable: writable?.(project.home) });
      expect(run.restored).toEqual(kept ? [] : [settings]);
      expect(readFileSync(settings, 'utf8') === changed).toBe(kept);
    }
  });
});

describe('the sandbox around an agent', () => {
  it.for(
    rows(1, [
      ['rm', `rm -f ${CONFIG}; rm -rf .guardkit`],
      ['a redirection', `echo x > ${CONFIG}`],
      ['mv', `mv src/cart.js ${CONFIG}; mv .guardkit elsewhere`],
    ]),
  )(
    'keeps %s from protected files, so that nothing has to be restored',
    async ([_name, command], context) => {
      const status = await bubblewrap(context);
      const project = new DrivenProject();
      const run = await project.drive(
        commandDriver({ run: `${command}; echo '{"decision": "implemented"}'` }),
        {
          writable: [],
          sandbox: {
            status,
            policy: {
              writable: [project.folder],
              readOnly: [project.path('.guardkit')],
              hidden: [project.dataFolder],
              network: 'loopback',
            },
          },
        },
      );
      expect(run.result.end.type).toBe('answered');
      expect(run.restored).toEqual([]);
      expect(project.read(CONFIG)).toBe('project: shop-1\n');
    },
  );
});

const NO_PROGRAM = claudeProgram() ? '' : ' (the Claude Agent SDK has no program for this system here)';

describe.skipIf(NO_PROGRAM !== '')(`Claude Code under the guards${NO_PROGRAM}`, () => {
  it('cannot do what guards refuse, has its other forbidden changes reverted, and continues', async () => {
    const project = new DrivenProject();
    await project.begin();
    const replies: Reply[] = [
      use('Write', { file_path: project.path(CONFIG), content: 'project: other\n' }),
      use('Write', { file_path: join(project.home, 'elsewhere.txt'), content: 'x' }),
      use('Bash', { command: 'node change.cjs' }),
      {
        content: ['cart', 'shop', 'till'].map((name) => ({
          type: 'tool_use',
          name: 'Write',
          input: { file_path: project.path(`src/${name}.js`), content: 'export const cart = [3];\n' },
        })),
      },
      use('StructuredOutput', { ...ANSWER, summary: `Left ${CONFIG} as it is` }),
    ];
    project.write(
      'change.cjs',
      `const fs = require('fs');\nconst path = ['.claude', 'progress', 'feature-' + 'list.json'].join('/');\n` +
        `fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('false', 'true'));\n`,
    );
    const server = await startMessagesServer(replies);
    const run = await project.drive(claudeDriver(), {
      env: { ...process.env, ...server.env(project.home), ...project.personEnv() },
    });
    expect(run.result.end).toMatchObject({ type: 'answered' });
    expect(run.refused).toBe(2);
    expect(run.restored).toEqual([LIST_PATH]);
    expect(project.read(CONFIG)).toBe('project: shop-1\n');
    expect(project.list().features.map(({ tested }) => tested)).toEqual([false, false]);
    expect(['cart', 'shop', 'till'].map((name) => project.read(`src/${name}.js`))).toEqual(
      Array(3).fill('export const cart = [3];\n'),
    );
    expect(project.entries('action_judged')).toMatchObject([
      { agent: 'claude', agent_type: 'player', decision: 'deny', findings: [{ guard: 'protected-set' }] },
      { agent: 'claude', agent_type: 'player', decision: 'deny', findings: [{ guard: 'role-limits' }] },
    ]);
    const said = server.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(said[1]).toContain('[protected-set]');
    expect(said[2]).toContain(join(project.home, 'elsewhere.txt'));
    expect(said[3]).toContain(LIST_PATH);
    expect(run.activity.join('\n')).toContain(`Write ${project.path(CONFIG)}`);
  });

  further(
    'is sent back once if it answers without having changed a file',
    async () => {
      const project = new DrivenProject();
      const server = await startMessagesServer([use('StructuredOutput', ANSWER)]);
      const run = await project.drive(claudeDriver(), {
        env: { ...process.env, ...server.env(project.home), ...project.personEnv() },
      });
      expect(run.result.end).toMatchObject({ type: 'answered' });
      expect(run.refused).toBe(1);
      expect(project.entries('action_judged')).toMatchObject([
        { findings: [{ guard: 'verify-implementation' }] },
      ]);
      expect(server.requests).toHaveLength(2);
    },
    120_000,
  );

  it('can do nothing if the ledger cannot be opened', async () => {
    const project = new DrivenProject();
    const server = await startMessagesServer([
      use('Write', { file_path: project.path('src/cart.js'), content: 'export const cart = [4];\n' }),
      use('StructuredOutput', ANSWER),
    ]);
    const driver = claudeDriver();
    const broken: AgentDriver = {
      ...driver,
      run: (request) => {
        renameSync(join(project.dataFolder, 'ledger.db'), join(project.dataFolder, 'gone.db'));
        writeFileSync(
          join(project.dataFolder, 'ledger.db'),
          'no ledger at all, but a text that is long enough',
        );
        return driver.run(request);
      },
    };
    await expect(
      project.drive(broken, { env: { ...process.env, ...server.env(project.home), ...project.personEnv() } }),
    ).rejects.toThrow();
    expect(project.read('src/cart.js')).toContain('[]');
    expect(server.requests).toHaveLength(1);
  });
});
