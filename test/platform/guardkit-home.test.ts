import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { guardkitHome } from '../../src/platform/guardkit-home.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the data folder', () => {
  it('lies in the home of the person, unless GUARDKIT_HOME says where', () => {
    expect(guardkitHome({})).toBe(join(homedir(), '.guardkit'));
    expect(guardkitHome({ GUARDKIT_HOME: '/srv/guardkit/' })).toBe('/srv/guardkit');
  });

  it.each(['', 'ada'])('is no folder of the project where HOME is %j', (home) => {
    vi.stubEnv('HOME', home);
    expect(() => guardkitHome({})).toThrow(
      expect.objectContaining({ code: 'home.unknown', message: expect.stringContaining(`"${home}"`) }),
    );
    expect(guardkitHome({ GUARDKIT_HOME: '/srv/guardkit' })).toBe('/srv/guardkit');
  });

  it('is the same folder wherever a command is run', () => {
    expect(() => guardkitHome({ GUARDKIT_HOME: 'data' })).toThrow(
      expect.objectContaining({ code: 'home.relative' }),
    );
  });
});
