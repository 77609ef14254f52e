import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, rmSync, statSync, unlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../domain/json/json.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';

const DAY_MS = 24 * 60 * 60_000;
const TICKET_MS = 10 * 60_000;
const SESSION_MS = 30 * DAY_MS;
const MAX_SESSIONS = 100;
const TOKEN = /^[\w-]{43}$/;

/**
 * Who may read the dashboard. A ticket is used once and exchanged for a session. Both are files named by a hash, so that
 * every process of the data folder knows them, a restart keeps them, and reading the folder reveals none.
 */
export class DashboardAccess {
  readonly #tickets: string;
  readonly #sessions: string;

  constructor(dataFolder: string) {
    const folder = dashboardFolder(dataFolder);
    this.#tickets = join(folder, 'tickets');
    this.#sessions = join(folder, 'sessions');
    for (const each of [this.#tickets, this.#sessions]) makeFolder(each, 0o700);
  }

  /** A token for the URL, valid once and for ten minutes. */
  issueTicket(): string {
    removeOlder(this.#tickets, TICKET_MS, 1000);
    return issue(this.#tickets);
  }

  /** A session's token for a ticket's; undefined if the ticket is unknown, used or too old. */
  exchange(ticket: string): string | undefined {
    if (!TOKEN.test(ticket)) return undefined;
    const file = join(this.#tickets, sha256(ticket));
    const age = ageOf(file);
    try {
      // Only one of several concurrent requests succeeds.
      unlinkSync(file);
    } catch {
      // Safe: refused.
      return undefined;
    }
    if (age > TICKET_MS) return undefined;
    removeOlder(this.#sessions, SESSION_MS, MAX_SESSIONS - 1);
    return issue(this.#sessions);
  }

  /** Whether a page may come back, or is about to be opened. */
  isInUse(): boolean {
    return newestAge(this.#sessions) <= SESSION_MS || newestAge(this.#tickets) <= TICKET_MS;
  }

  /** Signs every page out. */
  endSessions(): void {
    removeOlder(this.#sessions, 0, 0);
  }

  isSession(token: unknown): boolean {
    if (typeof token !== 'string' || !TOKEN.test(token)) return false;
    const file = join(this.#sessions, sha256(token));
    const age = ageOf(file);
    if (age > SESSION_MS) return false;
    if (age > DAY_MS) utimesSync(file, new Date(), new Date());
    return true;
  }
}

/** Only this user may enter it. */
export function dashboardFolder(dataFolder: string): string {
  const folder = join(dataFolder, 'dashboard');
  makeFolder(folder, 0o700);
  chmodSync(folder, 0o700);
  return folder;
}

function issue(folder: string): string {
  const token = randomBytes(32).toString('base64url');
  writeFileAtomic(join(folder, sha256(token)), '', 0o600);
  return token;
}

/** Since its last use; infinite if it does not exist. */
function ageOf(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? Math.abs(Date.now() - stat.mtimeMs) : Number.POSITIVE_INFINITY;
}

function newestAge(folder: string): number {
  return Math.min(...readdirSync(folder).map((name) => ageOf(join(folder, name))));
}

function removeOlder(folder: string, maxAge: number, most: number): void {
  if (!existsSync(folder)) return;
  const files = readdirSync(folder)
    .map((name) => ({ file: join(folder, name), age: ageOf(join(folder, name)) }))
    .sort((one, other) => one.age - other.age);
  for (const [index, { file, age }] of files.entries())
    if (age > maxAge || index >= most) rmSync(file, { force: true });
}
