import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { baseProfile } from '../../../src/enforcement/install/project-files/codex-config.ts';
import { Sandbox } from '../../support/cli.ts';

const FILE = 'shop/.codex/config.toml';
const OWN = 'model = "m"\n\n[tools]\nweb_search = false\n';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const init = (...more: string[]) =>
  sandbox.guardkit(['init', '--agent', 'codex', ...more], { in: 'shop', env: { CODEX_HOME: codexHome() } });
const codexHome = () => sandbox.path('home', '.codex');
const read = () => readFileSync(sandbox.path(FILE), 'utf8');

describe('the list of protected paths for Codex’s sandbox', () => {
  it('extends the person’s own permissions, and uninstall leaves the file as it was', async () => {
    sandbox.write(FILE, OWN);
    await init();
    expect(read()).toMatch(/^# guardkit sandbox: begin\ndefault_permissions = "guardkit"\n/);
    expect(read()).toContain('extends = ":workspace"');
    expect(read()).toContain(`${JSON.stringify(join(sandbox.path('shop'), '.codex'))} = "read"`);
    expect(read()).toContain(OWN);
    const { agent } = JSON.parse((await init('--json')).stdout);
    for (const { action } of agent.files) expect(action).toBe('keep');
    await sandbox.guardkit(['uninstall'], { in: 'shop', person: true, input: 'y\n' });
    expect(read()).toBe(OWN);
  });

  it('is not written where it would replace another sandbox, be committed, or be shared', async () => {
    mkdirSync(codexHome(), { recursive: true });
    writeFileSync(join(codexHome(), 'config.toml'), 'sandbox_mode = "danger-full-access"\n');
    expect((await init('--json')).stdout).not.toContain('config.toml');
    writeFileSync(join(codexHome(), 'config.toml'), '');
    expect((await init('--shared', '--json')).stdout).not.toContain('config.toml');
    sandbox.write(FILE, OWN);
    sandbox.git('shop', 'add', '-f', '.codex/config.toml');
    await init();
    expect(read()).toBe(OWN);
  });
});

it.each<[string, string | undefined]>([
  ['', ':workspace'],
  ['model = "m"\n[tools]\nsandbox_mode = "danger-full-access"\n', ':workspace'],
  ['sandbox_mode = "workspace-write"\n', ':workspace'],
  ["sandbox_mode = 'read-only'\n", ':read-only'],
  ['sandbox_mode = "danger-full-access"\n', undefined],
  ['default_permissions = "mine"\n', 'mine'],
  ['default_permissions = ":danger-full-access"\n', undefined],
  ['profile = "x"\n', undefined],
  ['[sandbox_workspace_write]\nnetwork_access = true\n', undefined],
  ['sandbox_workspace_write.network_access = true\n', undefined],
])('with the settings %j, the permissions to extend are %s', (settings, base) => {
  expect(baseProfile(settings)).toBe(base);
});
