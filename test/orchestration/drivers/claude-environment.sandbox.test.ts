import { expect, it } from 'vitest';
import { claudeEnvironment } from '../../../src/orchestration/drivers/claude-driver.ts';

const base = {
  PATH: '/usr/bin',
  HOME: '/home/me',
  ANTHROPIC_API_KEY: 'key',
  CLAUDE_CODE_OAUTH_TOKEN: 'token',
  AWS_SECRET_ACCESS_KEY: 'aws',
  GUARDKIT_DATABASE_URL: 'postgres://',
  GITHUB_TOKEN: 'github',
  CLAUDECODE: '1',
  CLAUDE_CODE_SSE_PORT: '1234',
  CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: '1',
};

it('keeps the credentials for the model, and no other secret', () => {
  const env = claudeEnvironment(base, { sandboxed: true });
  expect(env).toMatchObject({
    PATH: '/usr/bin',
    HOME: '/home/me',
    TMPDIR: '/tmp',
    ANTHROPIC_API_KEY: 'key',
    CLAUDE_CODE_OAUTH_TOKEN: 'token',
  });
  for (const name of ['AWS_SECRET_ACCESS_KEY', 'GUARDKIT_DATABASE_URL', 'GITHUB_TOKEN'])
    expect(env).not.toHaveProperty(name);
});

it('keeps another provider’s credentials only if that provider is chosen', () => {
  expect(claudeEnvironment({ ...base, CLAUDE_CODE_USE_BEDROCK: '1' }, { sandboxed: false })).toHaveProperty(
    'AWS_SECRET_ACCESS_KEY',
  );
});

it('drops the variables of an outer Claude Code', () => {
  const env = claudeEnvironment(base, { sandboxed: false });
  for (const name of ['CLAUDECODE', 'CLAUDE_CODE_SSE_PORT', 'CLAUDE_CODE_SUBPROCESS_ENV_SCRUB'])
    expect(env).not.toHaveProperty(name);
});
