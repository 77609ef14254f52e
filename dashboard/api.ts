import { signal } from '@preact/signals';
import { parsePrintable } from './printable.ts';
import { readKey, report } from './report.ts';
import { store, stored } from './storage.ts';

const KEY = 'guardkit.session';
const TOKEN_HEADER = 'x-guardkit-session';

/** `signed-out`: the server does not know this page. */
export const access = signal<'unknown' | 'signed-in' | 'signed-out'>('unknown');
export const signInProblem = signal('');

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;

  constructor(status: number, code: string, message: string, hint: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** Exchanges the ticket of the address, if there is one, and removes it from the history. */
export async function signIn(): Promise<void> {
  if (report) {
    access.value = 'signed-in';
    return;
  }
  const ticket = /^#ticket=([\w-]{1,100})$/.exec(location.hash)?.[1];
  if (ticket !== undefined) {
    history.replaceState(null, '', '#/now');
    // Replacing the address causes no event by itself.
    dispatchEvent(new Event('hashchange'));
    const response = await fetch('/api/session', { method: 'POST', body: JSON.stringify({ ticket }) });
    const answer = (await response.json()) as { session?: string; error?: { message: string } };
    if (answer.session !== undefined) store(KEY, answer.session);
    else signInProblem.value = answer.error?.message ?? '';
  }
  access.value = stored(KEY) === null ? 'signed-out' : 'signed-in';
}

/** Fetches with the session's token. */
export async function request(
  path: string,
  headers: Record<string, string> = {},
  abort?: AbortSignal,
): Promise<Response> {
  const response = await fetch(path, {
    headers: { ...headers, [TOKEN_HEADER]: stored(KEY) ?? '' },
    signal: abort ?? null,
  });
  if (response.status === 401) access.value = 'signed-out';
  return response;
}

/** One read of the API; throws an `ApiError`. */
export async function read<Answer>(name: string, parameters: Record<string, string>): Promise<Answer> {
  if (report) {
    const known = report.answers[readKey(name, parameters)];
    if (known === undefined) throw new ApiError(404, 'not-in-report', 'This is not part of the report.', '');
    return known as Answer;
  }
  const query = new URLSearchParams(parameters).toString();
  let response: Response;
  try {
    response = await request(`/api/${name}${query === '' ? '' : `?${query}`}`);
  } catch {
    // Safe: reported as an error of the view.
    throw new ApiError(0, 'unreachable', 'GuardKit does not answer.', 'Run `guardkit ui` to start it.');
  }
  const answer = parsePrintable(await response.text()) as Answer & {
    error?: { code: string; message: string; hint: string };
  };
  if (response.ok) return answer;
  const { code = 'unknown', message = '', hint = '' } = answer.error ?? {};
  throw new ApiError(response.status, code, message, hint);
}
