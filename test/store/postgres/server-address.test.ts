import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GuardKitError } from '../../../src/guardkit-error.ts';
import { readServerAddress } from '../../../src/store/postgres/server-address.ts';

const SECRET = 'hunter2';

describe('the address of a server', () => {
  it.each([
    [`postgres://me:${SECRET}@db.example:6543/team`, 'postgres://me@db.example:6543/team'],
    [`postgresql://me:${SECRET}@db.example/team`, 'postgres://me@db.example:5432/team'],
    [`postgres://me:${SECRET}@[::1]:6543/team`, 'postgres://me@[::1]:6543/team'],
    [
      `postgres://me:${SECRET}@db/team?sslmode=no-verify&application_name=${SECRET}`,
      'postgres://me@db:5432/team',
    ],
    [`postgres://me@db/team?password=${SECRET}`, 'postgres://me@db:5432/team'],
    [
      `postgres://me:${SECRET}@/team?host=/var/run/postgresql`,
      'postgres://me@%2Fvar%2Frun%2Fpostgresql:5432/team',
    ],
    [`postgres://me:p%40${SECRET}%2F%23@db/te%20am`, 'postgres://me@db:5432/te%20am'],
    [`postgres://me:p@${SECRET}@db/team`, 'postgres://me@db:5432/team'],
  ])('is shown without password and parameters (%#)', (url, location) => {
    expect(readServerAddress(url)).toEqual({ url, location });
  });

  it.each([
    `postgres://me:1/${SECRET}@db/team`,
    `postgres://me:1#${SECRET}@db/team`,
    `postgres://me:1?${SECRET}@db/team`,
    `postgres://me:${SECRET}@db:99999/team`,
    `postgres://me:${SECRET}@db/team?port=${SECRET}`,
    `postgres://me:${SECRET}@db/team?sslrootcert=/no/such/file`,
    `mysql://me:${SECRET}@db/team`,
    `/var/run/${SECRET}`,
    `me:${SECRET}@db`,
    '',
  ])('is refused as invalid input, without repeating it (%#)', (url) => {
    const refused = catchError(() => readServerAddress(url));
    expect(refused).toMatchObject({ code: 'store.bad-url', kind: 'input' });
    expect(inspect(refused, { depth: null, showHidden: true })).not.toContain(SECRET);
  });

  it('names an unreadable certificate file', () => {
    const refused = catchError(() => readServerAddress('postgres://me@db/team?sslrootcert=/no/such/file'));
    expect(refused).toMatchObject({ message: expect.stringContaining('/no/such/file') });
  });

  it('never shows a password, whatever its characters', () => {
    const password = fc
      .string({ unit: 'grapheme', minLength: 4, maxLength: 12 })
      .map((text) => `pw${text}pw`);
    fc.assert(
      fc.property(password, fc.boolean(), (secret, encoded) => {
        const written = encoded ? encodeURIComponent(secret.toWellFormed()) : secret;
        const shown = describeAddress(`postgres://me:${written}@db.example:5432/team`);
        expect(shown).not.toContain(secret);
        expect(shown).not.toContain(written);
      }),
    );
  });
});

function catchError(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

function describeAddress(url: string): string {
  try {
    return readServerAddress(url).location;
  } catch (error) {
    expect(error).toBeInstanceOf(GuardKitError);
    return inspect(error, { depth: null, showHidden: true });
  }
}
