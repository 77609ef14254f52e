import { describe, expect, it } from 'vitest';
import { profileOf, wrapperProfile } from '../../../src/platform/processes/wrapper-profile.ts';

const KEY = '0123456789abcdef';
const ROOT = '22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw';

function mount(root: string, target: string): string {
  return `40 22 8:1 ${root} ${target} ro,relatime - ext4 /dev/sda1 rw`;
}

const current = `/home/ada/.guardkit/shell/${KEY}/profile/current`;

describe('the profile of a wrapped process', () => {
  it.each(['ordinary', 'git'] as const)('is %s by the mount that the wrapper makes', (profile) => {
    const mounted = mount(`/ada/.guardkit/shell/${KEY}/profile/${profile}`, current);
    expect(profileOf([ROOT, mounted, ''].join('\n'))).toBe(profile);
  });

  it.each([
    ['a mount elsewhere', `/ada/.guardkit/shell/${KEY}/profile/git`, '/mnt'],
    ['another folder mounted there', '/tmp/own', current],
    ['a key that is none', '/ada/.guardkit/shell/KEY/profile/git', current],
  ])('is not claimed by %s', (_what, root, target) => {
    expect(profileOf([ROOT, mount(root, target)].join('\n'))).toBeUndefined();
  });

  it('is undefined for a process that has ended', () => {
    expect(wrapperProfile(999_999_999)).toBeUndefined();
  });
});
