import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { guardkitHome } from '../../src/platform/guardkit-home.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the data folder', () => {
  it('is in the home folder, unless GUARDKIT_HOME is set', () => {
    expect(guardkitHome({})).toBe(join(homedir(), '.guardkit'));
    expect(guardkitHome({ GUARDKIT_HOME: '/srv/guardkit/' })).toBe('/srv/guardkit');
  });

  it.each(['', 'ada'])('is never inside the project if HOME is %j', (home) => {
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
