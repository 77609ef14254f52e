import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { changedBefore } from '../../../src/enforcement/windows/changed-before.ts';
import { closeWindow } from '../../../src/enforcement/windows/close-window.ts';
import { lookAt, readFound } from '../../../src/enforcement/windows/found.ts';
import { openWindow } from '../../../src/enforcement/windows/open-window.ts';
import type { WatchArea } from '../../../src/enforcement/windows/watch-areas.ts';
import { CONFIG, WatchedCheckout } from './windows-fixture.ts';

const LAX = 'project: lax\n';

describe('what a person changed while they were asked whether an action may happen', () => {
  /** The change, the wait, and an action that began only after it. */
  const asked = (
    shop: WatchedCheckout,
    change: () => void,
    act: () => void,
    others: () => void = () => {},
  ) => {
    const opening = shop.opening();
    openWindow(shop.place, opening);
    others();
    change();
    act();
    // As if the action had begun long after now.
    const took = { ms: 0, toldAt: Date.now() + 60_000 };
    return closeWindow(shop.place, { ...opening, orphans: false, took }).restored;
  };

  test('is theirs', () => {
    const shop = new WatchedCheckout();
    const restored = asked(
      shop,
      () => {
        shop.write('.guardkit/config.yaml', `${CONFIG}# mine\n`);
        rmSync(shop.path('tasks/TASK-1.md'));
      },
      () => {},
    );
    expect(restored).toEqual([]);
    expect(shop.read('.guardkit/config.yaml')).toContain('mine');
    expect(existsSync(shop.path('tasks/TASK-1.md'))).toBe(false);
  });

  test('is not told apart while another action goes on', () => {
    const shop = new WatchedCheckout();
    const restored = asked(
      shop,
      () => shop.write('.guardkit/config.yaml', LAX),
      () => {},
      () => openWindow(shop.place, shop.opening()),
    );
    expect(restored).toHaveLength(1);
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
  });

  test('is not what was moved into place since then, however old it is', async () => {
    const shop = new WatchedCheckout();
    shop.write('old/config.yaml', LAX);
    shop.write('old-file', LAX);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const area = { folder: shop.path() } as WatchArea;
    const moment = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 30));
    const at = (path: string) => {
      const look = lookAt(shop.path(path));
      return { path, before: undefined, found: look && readFound(shop.path(path), path, look) };
    };
    expect(changedBefore(area, at('.guardkit/config.yaml'), moment)).toBe(true);
    renameSync(shop.path('old-file'), shop.path('.guardkit/config.yaml'));
    expect(changedBefore(area, at('.guardkit/config.yaml'), moment)).toBe(false);
    renameSync(shop.path('.guardkit'), shop.path('away'));
    renameSync(shop.path('old'), shop.path('.guardkit'));
    expect(changedBefore(area, at('.guardkit/config.yaml'), moment)).toBe(false);
    rmSync(shop.path('tasks/TASK-1.md'));
    expect(changedBefore(area, at('tasks/TASK-1.md'), moment)).toBe(false);
  });
});

test('what a person has accepted stays, though it came up during an action', () => {
  const shop = new WatchedCheckout();
  const opening = shop.opening();
  openWindow(shop.place, opening);
  const mine = `${CONFIG}# mine\n`;
  shop.write('.guardkit/config.yaml', mine);
  rmSync(shop.path('tasks/TASK-1.md'));
  shop.write('.mcp.json', '{}');
  const digest = createHash('sha256').update(mine).digest('hex');
  const accept = (path: string, of: string | null) =>
    shop.place.ledger.append(shop.place.project, 'acceptance_recorded', {
      path,
      digest: of,
      reason: '',
      by: 'p',
    });
  accept('.guardkit/config.yaml', digest);
  accept('tasks/TASK-1.md', null);
  // Another content than the one that was accepted is not.
  accept('.mcp.json', digest);
  const first = closeWindow(shop.place, { ...opening, orphans: false });
  expect(first.restored.map(({ path }) => path)).toEqual(['.mcp.json']);
  expect(shop.read('.guardkit/config.yaml')).toBe(mine);
  expect(existsSync(shop.path('tasks/TASK-1.md'))).toBe(false);
});
