import { expect, test } from 'vitest';
import { pauseNotice } from '../../../src/enforcement/hooks/handle-event.ts';
import { pausedUntil, recordPauseEnd } from '../../../src/store/ledger/pause.ts';
import { DayGround, PERSON as PRESENT, PROGRAM, PROJECT } from './day-ground.ts';

const PERSON = { ...PRESENT, input: 'pause\n' };

const MINUTE = 60_000;

test('a person pauses for 30 minutes by default, on record, and resumes', async () => {
  const ground = new DayGround();
  const before = Date.now();
  const { pause } = await ground.json<{ pause: { until: string } }>(
    ['pause', '--reason', 'big refactoring'],
    PERSON,
  );
  const until = Date.parse(pause.until);
  expect(until - before).toBeGreaterThanOrEqual(30 * MINUTE);
  expect(until - before).toBeLessThan(31 * MINUTE);
  expect(pausedUntil(ground.ledger, PROJECT, Date.now())).toBe(pause.until);
  expect(pausedUntil(ground.ledger, PROJECT, until)).toBeUndefined();

  expect(await ground.json(['resume'], PERSON)).toMatchObject({ resumed: true });
  expect(pausedUntil(ground.ledger, PROJECT, Date.now())).toBeUndefined();
  expect(await ground.json(['resume'], PERSON)).toMatchObject({ resumed: false });
});

test.each([[['pause']], [['pause', '--for', '1h', '--yes']]])('an agent cannot %j', async (args) => {
  const ground = new DayGround();
  expect((await ground.sandbox.guardkit(args, PROGRAM)).exitCode).not.toBe(0);
  expect(pausedUntil(ground.ledger, PROJECT, Date.now())).toBeUndefined();
});

test('an agent cannot resume, so that it cannot end a pause the person needs', async () => {
  const ground = new DayGround();
  await ground.sandbox.guardkit(['pause'], PERSON);
  expect(await ground.json(['resume'])).toMatchObject({ error: { code: 'person.needed' } });
});

test.each(['25h', '0m', '2w', 'soon'])('--for %s is refused', async (time) => {
  const ground = new DayGround();
  expect((await ground.sandbox.guardkit(['pause', '--for', time], PERSON)).exitCode).toBe(2);
});

test.each(['', 'y\n', 'no\n'])('typing %j instead of the word cancels it', async (input) => {
  const ground = new DayGround();
  const answer = await ground.json(['pause'], { ...PRESENT, input });
  expect(answer).toMatchObject({ error: { code: 'pause.cancelled' } });
  expect(pausedUntil(ground.ledger, PROJECT, Date.now())).toBeUndefined();
});

test('--dry-run records nothing', async () => {
  const ground = new DayGround();
  expect(await ground.json(['pause', '--dry-run'])).toMatchObject({ recorded: false });
  expect(pausedUntil(ground.ledger, PROJECT, Date.now())).toBeUndefined();
});

test('a pause that has run out is recorded as resumed once', () => {
  const ground = new DayGround();
  const until = new Date(Date.now() - MINUTE).toISOString();
  ground.record('protection_paused', { until, reason: '', by: 'Ada' });
  expect(recordPauseEnd(ground.ledger, PROJECT, Date.now())).toBe(true);
  expect(recordPauseEnd(ground.ledger, PROJECT, Date.now())).toBe(false);
});

test('a forged pause of more than 24 hours has no effect', () => {
  const ground = new DayGround();
  const until = new Date(Date.now() + 25 * 60 * MINUTE).toISOString();
  ground.record('protection_paused', { until, reason: '', by: 'Ada' });
  expect(pausedUntil(ground.ledger, PROJECT, Date.now())).toBeUndefined();
});

test('the notice gives the local time', () => {
  const now = new Date(2026, 10, 15, 14, 0).getTime();
  expect(pauseNotice(new Date(2026, 10, 15, 14, 30).toISOString(), now)).toContain('14:30');
  expect(pauseNotice(new Date(2026, 10, 16, 1, 5).toISOString(), now)).toContain('2026-11-16 01:05');
});
