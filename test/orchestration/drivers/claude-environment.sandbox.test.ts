import { expect, it } from 'vitest';
import { claudeEnvironment } from '../../../src/orchestration/drivers/claude-process.ts';

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

it('keeps what the agent reaches its model with, and no other secret', () => {
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

it('keeps an account with another service only where that is chosen', () => {
  expect(claudeEnvironment({ ...base, CLAUDE_CODE_USE_BEDROCK: '1' }, { sandboxed: false })).toHaveProperty(
    'AWS_SECRET_ACCESS_KEY',
  );
});

it('hands on nothing of the Claude Code that GuardKit itself may run in', () => {
  const env = claudeEnvironment(base, { sandboxed: false });
  for (const name of ['CLAUDECODE', 'CLAUDE_CODE_SSE_PORT', 'CLAUDE_CODE_SUBPROCESS_ENV_SCRUB'])
    expect(env).not.toHaveProperty(name);
});
