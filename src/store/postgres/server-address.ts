import pg from 'pg';
import { GuardKitError } from '../../guardkit-error.ts';

export interface ServerAddress {
  /** As given, with the password; passed only to the driver. */
  url: string;
  /** User, host, port and database, without the password. */
  location: string;
}

/** Reads a PostgreSQL URL. Its errors never repeat any part of it, since every part may contain the password. */
export function readServerAddress(url: string): ServerAddress {
  // A Unix socket leaves the host empty (user@/database?host=/run/postgresql), which Node does not accept as a URL.
  const readable = [url, url.replace('@/', '@socket/')].find((text) => URL.canParse(text));
  if (readable === undefined) throw badUrl('it is not a URL');
  const parsed = new URL(readable);
  if (!['postgres:', 'postgresql:'].includes(parsed.protocol))
    throw badUrl('it does not start with postgres://');
  if (endsEarly(parsed)) throw badUrl('a special character in its user or password is not percent-encoded');
  const { user, host, port, database } = readByDriver(url);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw badUrl('its port is invalid');
  const shownHost = host.includes(':') ? `[${host}]` : encodeURIComponent(host);
  const shownUser = user ? `${encodeURIComponent(user)}@` : '';
  return {
    url,
    location: `postgres://${shownUser}${shownHost}:${port}/${encodeURIComponent(database ?? '')}`,
  };
}

/** A bare `/`, `?` or `#` in a password ends the host there: the rest would be shown as the database. */
function endsEarly({ username, pathname, search, hash }: URL): boolean {
  return (
    hash !== '' ||
    pathname.includes('@') ||
    pathname.indexOf('/', 1) > 0 ||
    (username === '' && search.includes('@'))
  );
}

/** As the driver reads it, including query parameters and PGHOST and similar variables. */
function readByDriver(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url });
  } catch (error) {
    const unreadable = error instanceof Error && 'path' in error ? String(error.path) : undefined;
    throw badUrl(
      unreadable === undefined
        ? 'it cannot be parsed'
        : `it names the file ${unreadable}, which cannot be read`,
    );
  }
}

function badUrl(reason: string): GuardKitError {
  return new GuardKitError({
    code: 'store.bad-url',
    kind: 'input',
    message: `Invalid PostgreSQL URL: ${reason}.`,
    hint:
      'Set GUARDKIT_DATABASE_URL or store.url to postgres://user:password@host:5432/database, ' +
      'with special characters percent-encoded (@ is %40, / is %2F, # is %23, : is %3A).',
  });
}
