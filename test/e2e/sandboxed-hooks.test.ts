import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { writeLauncher } from '../../src/enforcement/wiring/launcher.ts';
import { commandDriver } from '../../src/orchestration/drivers/command-driver.ts';
import { bubblewrap } from '../support/bubblewrap.ts';
import { DrivenProject } from '../support/driven-project.ts';

const BIN = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const ANSWER = `echo '{"decision": "implemented"}'`;

/** An agent with hooks of its own, as a shell script: it asks them and says what they said. */
const ASK = '"$GUARDKIT_HOME/bin/guardkit-hook" claude';

it('an agent in a sandbox asks its own hooks, which reach the ledger through a socket alone', async (context) => {
  const status = await bubblewrap(context);
  const project = new DrivenProject();
  await project.begin();
  writeLauncher({ node: process.execPath, program: BIN, words: ['hook'], dataFolder: project.dataFolder });
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
    confined: true,
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
  expect(project.read('harmful.txt')).toContain('defines how work is judged');
  expect(project.read('broken.txt')).toMatch(/could not judge this[\s\S]*\n2\n$/);
  expect(project.read('seen.txt').trim().split('\n')).toEqual(['bin', 'run']);
  expect(project.read('denied.txt').trim().split('\n')).toHaveLength(3);
  expect(driven.refused).toBe(1);
  expect(project.entries('action_judged')).toMatchObject([
    { session: 'inside-1', agent: 'claude', agent_type: 'player', decision: 'deny' },
  ]);
}, 60_000);

it('a hook in a sandbox whose GuardKit is gone refuses', async (context) => {
  const status = await bubblewrap(context);
  const project = new DrivenProject();
  writeLauncher({ node: process.execPath, program: BIN, words: ['hook'], dataFolder: project.dataFolder });
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
      confined: true,
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
  expect(project.read('out.txt')).toMatch(/could not judge this[\s\S]*\n2\n$/);
}, 60_000);
