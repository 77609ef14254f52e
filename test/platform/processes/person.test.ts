import { describe, expect, it } from 'vitest';
import { findAgent, findPerson } from '../../../src/platform/processes/person.ts';
import { INSIDE_AGENT, INSIDE_AGENT_VARIABLE } from '../../../src/platform/processes/wrapper-profile.ts';

describe('a person', () => {
  it('is not there without a terminal', () => {
    expect(findPerson({}, false)).toEqual({
      present: false,
      why: expect.any(String),
    });
  });

  it('is absent in a command that the broker runs for an agent, with any terminal', () => {
    const env = { [INSIDE_AGENT_VARIABLE]: '1' };
    expect(findPerson(env, true)).toEqual({ present: false, why: INSIDE_AGENT });
    expect(findAgent(env)).toBe(INSIDE_AGENT);
  });

  it.each([
    'CLAUDECODE',
    'CLAUDE_CODE_ENTRYPOINT',
    'CODEX_SANDBOX',
    'CODEX_THREAD_ID',
    'GEMINI_CLI',
    'OPENCODE',
    'CURSOR_AGENT',
  ])('is not there where an agent has set %s, even to nothing [SEC-3]', (name) => {
    expect(findPerson({ [name]: '' }, true)).toEqual({
      present: false,
      why: expect.stringContaining(name),
    });
  });
});
