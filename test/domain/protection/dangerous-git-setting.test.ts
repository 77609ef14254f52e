import { describe, expect, it } from 'vitest';
import { isGitOrder } from '../../../src/domain/protection/dangerous-git-setting.ts';

describe('a setting of git’s', () => {
  it.each([
    ['core.hookspath', 'hooks'],
    ['gc.recentobjectshook', 'sh x'],
    ['lfs.customtransfer.x.path', './x'],
    ['lfs.standalonetransferagent', 'x'],
    ['init.templatedir', '/x'],
    ['alias.st', '!sh x'],
    ['remote.origin.url', 'ext::sh -c x'],
    ['http.https://example.org.curloptresolve', 'example.org:443:127.0.0.1'],
  ])('is an order where it runs, includes or trusts something: %s', (key, value) => {
    expect(isGitOrder(key, value)).toBe(true);
  });

  it.each([
    ['user.name', 'Ada'],
    ['init.defaultbranch', 'main'],
    ['alias.st', 'status'],
    ['remote.origin.url', 'https://example.org/shop.git'],
    ['pull.rebase', 'true'],
    ['lfs.concurrenttransfers', '4'],
  ])('excludes a harmless setting: %s', (key, value) => {
    expect(isGitOrder(key, value)).toBe(false);
  });
});
