import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../../support/cli.ts';
import { HookedProject } from '../../support/hooked-project.ts';
import { further } from '../../support/thorough.ts';

let sandbox: Sandbox;
let project: HookedProject;
beforeEach(async () => {
  sandbox = new Sandbox();
  project = new HookedProject(sandbox.folder);
  await project.begin();
});
afterEach(() => sandbox.cleanup());

const LOCAL = '.claude/settings.local.json';
const CALL = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 'tool-1' };

/** While an agent acts, something is done; then the action ends. */
async function meanwhile(work: () => Promise<unknown>) {
  await project.hook({ hook_event_name: 'PreToolUse', ...CALL });
  await work();
  return project.hook({ hook_event_name: 'PostToolUse', tool_response: {}, ...CALL });
}

const guardkit = (args: readonly string[], person: boolean) =>
  sandbox.guardkit(args, {
    in: 'project',
    person,
    input: 'y\n',
    env: { GUARDKIT_HOME: project.dataFolder },
  });

describe('while an agent acts', () => {
  further('a person wires and unwires as ever', async () => {
    const wired = await meanwhile(() => guardkit(['init', '--agent', 'claude'], true));
    expect(wired.json).toEqual({});
    expect(project.read(LOCAL)).toContain('guardkit-hook');
    const unwired = await meanwhile(() => guardkit(['uninstall'], true));
    expect(unwired.json).toEqual({});
    expect(existsSync(project.path(LOCAL))).toBe(false);
  });

  it('init makes nothing stand that the agent wrote into the settings before', async () => {
    await guardkit(['init', '--agent', 'claude'], true);
    const settings = project.read(LOCAL);
    const { json } = await meanwhile(async () => {
      project.write(LOCAL, '{"disableAllHooks": true}\n');
      await guardkit(['init', '--agent', 'claude'], false);
    });
    expect(json).toMatchObject({ decision: 'block' });
    expect(project.read(LOCAL)).toBe(settings);
  });
});
