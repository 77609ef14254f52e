import { GuardKitError } from '../../guardkit-error.ts';

type Explanation = Pick<GuardKitError, 'code' | 'message' | 'hint'>;

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_SOCKET_CLOSED',
  'ENOENT',
  'EACCES',
  'EPERM',
]);

/** What the driver says about a connection that broke before or during a query. */
const CUT_OFF = /^(?:Connection terminated|Client has encountered a connection error|Client was closed)/;

/**
 * Converts errors of the server, the driver or the network into a message and a hint; a bug passes through unchanged.
 */
export function postgresError(error: unknown, location: string): unknown {
  if (error instanceof GuardKitError || !(error instanceof Error)) return error;
  const explanation = explain(error, location);
  return explanation ? new GuardKitError({ kind: 'outside', cause: error, ...explanation }) : error;
}

/** PostgreSQL's five-character error code; undefined if the error is not from the server. */
export function sqlState(error: unknown): string | undefined {
  const code = errorCode(error);
  return /^[0-9A-Z]{5}$/.test(code) && error instanceof Error && 'severity' in error ? code : undefined;
}

/** A conflict with another process: a retry may succeed. */
export function isConflict(error: unknown): boolean {
  return ['23505', '40001', '40P01'].includes(sqlState(error) ?? '');
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function explain(error: Error, location: string): Explanation | undefined {
  const state = sqlState(error);
  return state === undefined
    ? explainDriver(error, errorCode(error), location)
    : explainServer(state, error.message, location);
}

/** Node's names for what is wrong with a certificate, and for failed handshakes. */
const TLS_CODES =
  /CERT|^(?:ERR_TLS|ERR_SSL|UNABLE_TO_|CRL_)|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

function explainDriver({ message }: Error, code: string, location: string): Explanation | undefined {
  if (TLS_CODES.test(code) || /\bSSL\b/.test(message))
    return {
      code: 'store.tls',
      message: `No trusted TLS connection to the PostgreSQL server ${location}: ${message} ${code}`.trim(),
      hint: 'Add sslrootcert=FILE with the server’s certificate authority to the URL, or set sslmode as the server requires (disable, no-verify, verify-full).',
    };
  if (message.startsWith('SASL') || /password/i.test(message))
    return {
      code: 'store.denied',
      message: `The PostgreSQL server ${location} requires a password, and it accepted none from the URL.`,
      hint: 'Check user and password in GUARDKIT_DATABASE_URL or store.url.',
    };
  if (message === 'Query read timeout') return timedOut(location);
  if (NETWORK_CODES.has(code) || message === 'timeout expired' || CUT_OFF.test(message))
    return unreachable(location, code || message);
  return undefined;
}

function explainServer(state: string, detail: string, location: string): Explanation {
  const server = `The PostgreSQL server ${location}`;
  switch (state) {
    case '28000':
    case '28P01':
      return {
        code: 'store.denied',
        message: `${server} refused the login: ${detail}.`,
        hint: 'Check user and password in GUARDKIT_DATABASE_URL or store.url, and pg_hba.conf on the server.',
      };
    case '3D000':
      return {
        code: 'store.no-database',
        message: `${server} has no such database.`,
        hint: 'Create it (CREATE DATABASE …), or correct the name in GUARDKIT_DATABASE_URL or store.url.',
      };
    case '42501':
      return {
        code: 'store.denied',
        message: `${server} does not permit this: ${detail}.`,
        hint: 'The user needs a schema of its own: CREATE SCHEMA guardkit AUTHORIZATION "user", or GRANT CREATE ON DATABASE.',
      };
    case '25006':
      return {
        code: 'store.not-writable',
        message: `${server} is read-only: ${detail}.`,
        hint: 'Set GUARDKIT_DATABASE_URL or store.url to the primary server, not a replica.',
      };
    case '53100':
      return {
        code: 'store.disk-full',
        message: `The disk of the PostgreSQL server ${location} is full.`,
        hint: 'Free some space there and try again. Existing data is intact.',
      };
    case '53300':
      return {
        code: 'store.too-many-connections',
        message: `${server} accepts no more connections.`,
        hint: 'Try again when others have finished, or raise max_connections on the server.',
      };
    case '55P03':
      return {
        code: 'store.locked',
        message: `The episode store ${location} is locked by another process.`,
        hint: 'Wait for the other guardkit command to finish, or end it, then try again.',
      };
    case '57014':
    case '25P03':
    case '25P04':
      return timedOut(location);
    case '23505':
    case '40001':
    case '40P01':
      return {
        code: 'store.conflict',
        message: `Other processes kept changing the same entities in ${location}.`,
        hint: 'Try again; nothing was written.',
      };
    default:
      return explainClass(state, detail, location, server);
  }
}

function explainClass(state: string, detail: string, location: string, server: string): Explanation {
  if (state.startsWith('08') || state.startsWith('57P')) return unreachable(location, detail);
  if (state.startsWith('42') || state.startsWith('3F') || state === 'XX001' || state === 'XX002')
    return {
      code: 'store.corrupt',
      message: `The tables of the schema guardkit in ${location} are damaged or were changed: ${detail} (${state}).`,
      hint: 'Restore the schema guardkit from a backup, or drop it: guardkit then creates a new episode store.',
    };
  return {
    code: 'store.failed',
    message: `${server} failed: ${detail} (${state}).`,
    hint: 'Check the server’s log, then try again.',
  };
}

function unreachable(location: string, reason: string): Explanation {
  return {
    code: 'store.unreachable',
    message: `The PostgreSQL server ${location} cannot be reached (${reason}).`,
    hint: 'Check that it is running and that host and port in GUARDKIT_DATABASE_URL or store.url are correct, then try again.',
  };
}

function timedOut(location: string): Explanation {
  return {
    code: 'store.timeout',
    message: `The PostgreSQL server ${location} did not finish in time.`,
    hint: 'Try again when it is less busy; unconfirmed changes were not written.',
  };
}
