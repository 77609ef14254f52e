import { describe, expect, it } from 'vitest';
import { GuardKitError } from '../../../src/guardkit-error.ts';
import { postgresError } from '../../../src/store/postgres/postgres-error.ts';

const LOCATION = 'postgres://me@db:5432/team';

function explained(message: string, properties: object): unknown {
  return postgresError(Object.assign(new Error(message), properties), LOCATION);
}

describe('a failure of the server', () => {
  it.each([
    ['08006', 'connection failure', 'store.unreachable'],
    ['57P01', 'terminating connection due to administrator command', 'store.unreachable'],
    ['57P03', 'the database system is starting up', 'store.unreachable'],
    ['28P01', 'password authentication failed for user "me"', 'store.denied'],
    ['28000', 'no pg_hba.conf entry for host', 'store.denied'],
    ['42501', 'permission denied for schema guardkit', 'store.denied'],
    ['3D000', 'database "team" does not exist', 'store.no-database'],
    ['53100', 'could not extend file: No space left on device', 'store.disk-full'],
    ['53300', 'sorry, too many clients already', 'store.too-many-connections'],
    ['57014', 'canceling statement due to statement timeout', 'store.timeout'],
    ['55P03', 'canceling statement due to lock timeout', 'store.locked'],
    ['25006', 'cannot execute UPDATE in a read-only transaction', 'store.not-writable'],
    ['40P01', 'deadlock detected', 'store.conflict'],
    ['42P01', 'relation "guardkit.episode" does not exist', 'store.corrupt'],
    ['XX001', 'invalid page in block 0', 'store.corrupt'],
    ['53200', 'out of memory', 'store.failed'],
  ])('%s is explained', (code, message, expected) => {
    const error = explained(message, { code, severity: 'ERROR' });
    expect(error).toMatchObject({ kind: 'outside', exitCode: 3, code: expected });
    expect(error).toMatchObject({
      message: expect.stringContaining(LOCATION),
      hint: expect.stringMatching(/./),
    });
  });
});

describe('a failure on the way to the server', () => {
  it.each([
    ['', { code: 'ECONNREFUSED' }, 'store.unreachable'],
    ['getaddrinfo ENOTFOUND db', { code: 'ENOTFOUND' }, 'store.unreachable'],
    ['timeout expired', {}, 'store.unreachable'],
    ['Connection terminated unexpectedly', {}, 'store.unreachable'],
    ['Query read timeout', {}, 'store.timeout'],
    ['self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'store.tls'],
    ['unable to verify the first certificate', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'store.tls'],
    [
      "Hostname/IP does not match certificate's altnames",
      { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      'store.tls',
    ],
    ['The server does not support SSL connections', {}, 'store.tls'],
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', {}, 'store.denied'],
  ])('"%s" %j is explained', (message, properties, expected) => {
    expect(explained(message, properties)).toMatchObject({ kind: 'outside', code: expected });
  });
});

describe('any other error', () => {
  it('passes through unchanged', () => {
    const bug = new TypeError('undefined is not a function');
    expect(postgresError(bug, LOCATION)).toBe(bug);
    const ours = new GuardKitError({ code: 'x', kind: 'input', message: 'm', hint: 'h' });
    expect(postgresError(ours, LOCATION)).toBe(ours);
  });
});
