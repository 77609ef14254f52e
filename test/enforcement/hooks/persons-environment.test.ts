import { describe, expect, it } from 'vitest';
import { withoutAgents } from '../../../src/enforcement/hooks/persons-environment.ts';

const GIVEN = { PATH: '/usr/local/bin:/usr/bin', HOME: '/home/ada', DATABASE_URL: 'postgres://db' };

function pathOf(path: string): string | undefined {
  return withoutAgents({ ...GIVEN, PATH: path }, GIVEN, '/home/ada/shop').env.PATH;
}

describe('what a command that judges an agent’s work is given', () => {
  it('is what the person gave the agent’s program, whatever the agent sets or changes', () => {
    const agents = { ...GIVEN, HOME: '/tmp/x', NICE: '1', CLAUDECODE: '1', PWD: '/home/ada/shop' };
    expect(withoutAgents(agents, GIVEN, '/home/ada/shop')).toEqual({
      env: GIVEN,
      leftOut: ['HOME', 'NICE'],
    });
  });

  it('has what the agent took away', () => {
    expect(withoutAgents({ PATH: GIVEN.PATH }, GIVEN, '/home/ada/shop').env).toEqual(GIVEN);
  });

  it('finds the person’s programs before the agent’s, and the agent’s where the person has none', () => {
    expect(pathOf('/home/ada/shop/tools:/tmp/x:/usr/bin')).toBe(
      '/usr/local/bin:/usr/bin:/home/ada/shop/tools:/tmp/x',
    );
  });

  it('takes nothing from a folder that depends on where the command stands', () => {
    expect(pathOf('tools:.::/usr/bin')).toBe(GIVEN.PATH);
  });

  it('finds the checkout’s own packages first, as a shell that was told to', () => {
    expect(pathOf('/home/ada/shop/.venv/bin:/usr/bin')).toBe(
      '/home/ada/shop/.venv/bin:/usr/local/bin:/usr/bin',
    );
    expect(pathOf('/tmp/.venv/bin:/usr/bin')).toBe('/usr/local/bin:/usr/bin:/tmp/.venv/bin');
  });
});
