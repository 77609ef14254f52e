import { describe, expect, it } from 'vitest';
import { withoutAgents } from '../../../src/enforcement/hooks/persons-environment.ts';

const GIVEN = { PATH: '/usr/local/bin:/usr/bin', HOME: '/home/ada', DATABASE_URL: 'postgres://db' };

function pathOf(path: string): string | undefined {
  return withoutAgents({ ...GIVEN, PATH: path }, GIVEN, '/home/ada/shop').env.PATH;
}

describe('the environment of a command that judges an agent’s work', () => {
  it('is the one that the person gave the agent’s program, without the agent’s changes', () => {
    const agents = { ...GIVEN, HOME: '/tmp/x', NICE: '1', CLAUDECODE: '1', PWD: '/home/ada/shop' };
    expect(withoutAgents(agents, GIVEN, '/home/ada/shop')).toEqual({
      env: GIVEN,
      leftOut: ['HOME', 'NICE'],
    });
  });

  it('has the variables that the agent removed', () => {
    expect(withoutAgents({ PATH: GIVEN.PATH }, GIVEN, '/home/ada/shop').env).toEqual(GIVEN);
  });

  it('has the person’s PATH before the agent’s', () => {
    expect(pathOf('/home/ada/shop/tools:/tmp/x:/usr/bin')).toBe(
      '/usr/local/bin:/usr/bin:/home/ada/shop/tools:/tmp/x',
    );
  });

  it('drops relative folders from the PATH', () => {
    expect(pathOf('tools:.::/usr/bin')).toBe(GIVEN.PATH);
  });

  it('has the checkout’s own packages first', () => {
    expect(pathOf('/home/ada/shop/.venv/bin:/usr/bin')).toBe(
      '/home/ada/shop/.venv/bin:/usr/local/bin:/usr/bin',
    );
    expect(pathOf('/tmp/.venv/bin:/usr/bin')).toBe('/usr/local/bin:/usr/bin:/tmp/.venv/bin');
  });
});
