import { describe, expect, it } from 'vitest';
import { commandEnvironment } from '../../../src/platform/processes/command-environment.ts';

function handsOn(...names: string[]): string[] {
  const given = Object.fromEntries(names.map((name) => [name, 'given']));
  const handed = commandEnvironment(given);
  return names.filter((name) => handed[name] === 'given');
}

describe('the environment of a command', () => {
  it('has the variables for paths and locale', () => {
    const names = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'USER', 'TMPDIR', 'JAVA_HOME', 'VIRTUAL_ENV'];
    expect(handsOn(...names)).toEqual(names);
  });

  it("has a project's own settings, the proxy and the registry", () => {
    const names = [
      'DATABASE_URL',
      'NODE_ENV',
      'HTTPS_PROXY',
      'SSL_CERT_FILE',
      'NPM_CONFIG_REGISTRY',
      'KEYBOARD',
    ];
    expect(handsOn(...names)).toEqual(names);
  });

  it('has no secrets', () => {
    expect(
      handsOn(
        'GITHUB_TOKEN',
        'NPM_TOKEN',
        'STRIPE_KEY',
        'AWS_PROFILE',
        'AWS_SECRET_ACCESS_KEY',
        'CLIENT_SECRET',
        'PGPASSWORD',
        'DB_PASSWORD_PROD',
        'SECRET',
        'my_api_key',
        'ANTHROPIC_BASE_URL',
        'OPENAI_ORG',
        'GOOGLE_APPLICATION_CREDENTIALS',
        'SSH_AUTH_SOCK',
      ),
    ).toEqual([]);
  });

  it("has nothing of GuardKit's own", () => {
    expect(
      handsOn('GUARDKIT_DATABASE_URL', 'GUARDKIT_EMBEDDINGS_API_KEY', 'GUARDKIT_HOME', 'GUARDKIT_RUN'),
    ).toEqual([]);
  });

  it('has nothing that loads code, leads git elsewhere or changes which tests run', () => {
    expect(
      handsOn(
        'NODE_OPTIONS',
        'NODE_PATH',
        'LD_PRELOAD',
        'DYLD_INSERT_LIBRARIES',
        'BASH_ENV',
        'ENV',
        'BASH_FUNC_ls%%',
        'PYTHONPATH',
        'GIT_DIR',
        'GIT_CONFIG_COUNT',
        'PYTEST_ADDOPTS',
        'VITEST_POOL_ID',
        'VITEST',
        'NODE_TEST_CONTEXT',
        'NODE_V8_COVERAGE',
        'GOFLAGS',
        'npm_lifecycle_event',
        'npm_config_script_shell',
        'INIT_CWD',
        'DOCKER_HOST',
        'DBUS_SESSION_BUS_ADDRESS',
      ),
    ).toEqual([]);
  });

  it('disables colour and terminal features', () => {
    const base = { FORCE_COLOR: '3', CLICOLOR_FORCE: '1', TERM: 'xterm-256color', CI: 'false' };
    expect(commandEnvironment(base)).toEqual({ CI: '1', NO_COLOR: '1', TERM: 'dumb' });
  });

  it('names the private scratch folder in the sandbox', () => {
    const base = { TMPDIR: '/var/folders/x' };
    expect(commandEnvironment(base).TMPDIR).toBe('/var/folders/x');
    expect(commandEnvironment(base, { sandboxed: true }).TMPDIR).toBe('/tmp');
    expect(commandEnvironment({}, { sandboxed: true }).TMPDIR).toBe('/tmp');
  });

  it('accepts odd names and does not change its input', () => {
    const base = JSON.parse('{"__proto__": "x", "constructor": "y", "PATH": "/bin"}');
    const made = commandEnvironment(base);
    expect(Object.entries(made)).toContainEqual(['__proto__', 'x']);
    expect(Object.keys(base)).toEqual(['__proto__', 'constructor', 'PATH']);
  });
});
