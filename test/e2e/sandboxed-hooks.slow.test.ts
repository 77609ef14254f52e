import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { settingsText, withHooks } from '../../src/enforcement/install/claude-settings.ts';
import { sharedHookCommand, writeLauncher } from '../../src/enforcement/install/hook-launcher.ts';
import { commandDriver } from '../../src/orchestration/drivers/command-driver.ts';
import { claudeProgram, use } from '../orchestration/drivers/driver-benches.ts';
import { bubblewrap } from '../support/bubblewrap.ts';
import { DrivenProject } from '../support/driven-project.ts';
import { LIST_PATH } from '../support/hooked-project.ts';
import { startMessagesServer } from '../support/messages-server.ts';

const HOOK = fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url));
const PROGRAM = claudeProgram();
const ANSWER = `echo '{"decision": "implemented"}'`;

/** An agent with its own hooks, as a shell script that prints their answers. */
const ASK = '"$GUARDKIT_HOME/bin/guardkit-hook" claude';

it('hooks of a sandboxed agent reach the ledger only through a socket', async (context) => {
  const status = await bubblewrap(context);
  const project = new DrivenProject();
  await project.begin();
  writeLauncher({ node: process.execPath, program: HOOK, dataFolder: project.dataFolder });
  const event = (tool: string, input: Record<string, unknown>) =>
    JSON.stringify({
      session_id: 'inside-1',
      cwd: project.folder,
      hook_event_name: 'PreToolUse',
      permission_mode: 'bypassPermissions',
      tool_name: tool,
      tool_input: input,
      tool_use_id: `tool-${tool}`,
    });
  project.write('harmless.json', event('Bash', { command: 'ls src' }));
  project.write(
    'harmful.json',
    event('Write', { file_path: project.path('.guardkit/config.yaml'), content: 'project: other\n' }),
  );
  project.write('broken.json', '{');
  const run = [
    `${ASK} < harmless.json > harmless.txt 2>&1; echo $? >> harmless.txt`,
    `${ASK} < harmful.json > harmful.txt 2>&1; echo $? >> harmful.txt`,
    `${ASK} < broken.json > broken.txt 2>&1; echo $? >> broken.txt`,
    'ls -A "$GUARDKIT_HOME" > seen.txt',
    'touch "$GUARDKIT_HOME/run/own.sock" "$GUARDKIT_HOME/ledger.db" "$GUARDKIT_HOME/bin/guardkit-hook" 2> denied.txt',
    ANSWER,
  ].join('\n');
  const driven = await project.drive(commandDriver({ run }), {
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
  });
  expect(driven.result.end.type).toBe('answered');
  expect(project.read('harmless.txt')).toBe('0\n');
  expect(project.read('harmful.txt')).toContain('"permissionDecision":"deny"');
  expect(project.read('harmful.txt')).toContain('[protected-set]');
  expect(project.read('broken.txt')).toMatch(/GuardKit[\s\S]*\n2\n$/);
  expect(project.read('seen.txt').trim().split('\n')).toEqual(['bin', 'run']);
  expect(project.read('denied.txt').trim().split('\n')).toHaveLength(3);
  expect(driven.refused).toBe(1);
  expect(project.entries('action_judged')).toMatchObject([
    { session: 'inside-1', agent: 'claude', agent_type: 'player', decision: 'deny' },
  ]);
});

it.skipIf(PROGRAM === undefined)(
  `Claude Code as a command, in a sandbox, is held by the project’s hooks${PROGRAM ? '' : ' (it is not installed here)'}`,
  async (context) => {
    const status = await bubblewrap(context);
    const project = new DrivenProject();
    await project.begin();
    writeLauncher({ node: process.execPath, program: HOOK, dataFolder: project.dataFolder });
    project.write('.claude/settings.json', settingsText(withHooks({}, sharedHookCommand('claude'))));
    project.write(
      'change.cjs',
      `const fs = require('fs');\nconst path = ['.claude', 'progress', 'feature-' + 'list.json'].join('/');\n` +
        `fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('false', 'true'));\n`,
    );
    const config = project.path('.guardkit/config.yaml');
    const server = await startMessagesServer([
      use('Write', { file_path: config, content: 'project: other\n' }),
      use('Bash', { command: 'node change.cjs' }),
      use('Write', { file_path: project.path('src/cart.js'), content: 'export const cart = [5];\n' }),
      { content: [{ type: 'text', text: '{"decision": "implemented"}' }] },
    ]);
    const env = { ...server.env(project.home), ...project.personEnv() };
    const run = `'${PROGRAM}' -p "$(cat)" --allowedTools Bash,Write --permission-mode acceptEdits`;
    const driver = commandDriver({ run, env: Object.keys(server.env(project.home)), writable: ['~/'] });
    const driven = await project.drive(driver, {
      env,
      sandbox: {
        status,
        policy: {
          writable: [project.folder],
          readOnly: [project.path('.guardkit'), project.path('.claude/settings.json'), String(PROGRAM)],
          hidden: [project.dataFolder],
          network: 'host',
        },
      },
    });
    expect(driven.result.end).toMatchObject({ type: 'answered' });
    expect(project.read('.guardkit/config.yaml')).toBe('project: shop-1\n');
    expect(project.list().features.map(({ tested }) => tested)).toEqual([false, false]);
    expect(project.read('src/cart.js')).toContain('[5]');
    expect(driven).toMatchObject({ refused: 1, restored: [LIST_PATH] });
    expect(project.entries('action_judged')).toMatchObject([{ agent: 'claude', agent_type: 'player' }]);
    const told = JSON.stringify(server.requests.at(-1)?.messages);
    expect(told).toContain('[protected-set]');
    expect(told).toContain(LIST_PATH);
  },
  120_000,
);

it('a hook in a sandbox refuses if GuardKit is no longer running', async (context) => {
  const status = await bubblewrap(context);
  const project = new DrivenProject();
  writeLauncher({ node: process.execPath, program: HOOK, dataFolder: project.dataFolder });
  const guards = project.guards('command');
  const door = await guards.openDoor();
  await door.close();
  const run = `echo '{"hook_event_name": "PreToolUse"}' | ${ASK} > out.txt 2>&1; echo $? >> out.txt; ${ANSWER}`;
  await project.drive(
    {
      ...commandDriver({ run }),
      // Without the guards the driver opens no door.
      run: (request) =>
        commandDriver({ run: `export GUARDKIT_HOME='${project.dataFolder}'; ${run}` }).run({
          ...request,
          guards: undefined,
        }),
    },
    {
      writable: [],
      sandbox: {
        status,
        policy: {
          writable: [project.folder],
          readOnly: [`${project.dataFolder}/bin`],
          hidden: [project.dataFolder],
          network: 'loopback',
        },
      },
    },
  );
  expect(project.read('out.txt')).toMatch(/GuardKit[\s\S]*\n2\n$/);
});
