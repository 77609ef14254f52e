import { expect, it } from 'vitest';
import { GuardKitError } from '../../../src/guardkit-error.ts';
import { afterFailure, passes } from '../../../src/orchestration/queue/failed-build.ts';
import { isRefusal } from '../../../src/orchestration/queue/shared-remote.ts';

const failure = (code: string, kind: GuardKitError['kind'] = 'outside') =>
  new GuardKitError({ code, kind, message: code, hint: '' });

it.each([
  'store.unreachable',
  'store.timeout',
  'store.locked',
  'store.conflict',
  'store.too-many-connections',
  'queue.remote-away',
  'queue.tip-moved',
  'queue.recorded-twice',
  'build.taken',
])('[MANY-3] a build that ends with %s is tried again, however often', (code) => {
  expect(passes(failure(code))).toBe(true);
  expect(afterFailure(failure(code), 100)).toBe('again');
});

it.each([
  ['an unknown error', new Error('write EIO')],
  ['a git command that failed', failure('git.failed')],
])('[MANY-3] %s does not fail a feature at once', (_what, error) => {
  expect(passes(error)).toBe(false);
  expect([1, 2, 3].map((faults) => afterFailure(error, faults))).toEqual(['again', 'again', 'failed']);
});

it.each([
  ['queue.claim-lost', 'refused', 'lost'],
  ['queue.budget', 'refused', 'stopped'],
  ['queue.newer-entry', 'outside', 'elsewhere'],
  ['queue.other-chain', 'outside', 'elsewhere'],
  ['driver.locked-out', 'outside', 'elsewhere'],
  ['store.disk-full', 'outside', 'elsewhere'],
  ['queue.push-refused', 'outside', 'failed'],
  ['work.invalid', 'input', 'failed'],
] as const)('[MANY-3] after %s, the next step is clear at once', (code, kind, next) => {
  expect(afterFailure(failure(code, kind), 1)).toBe(next);
});

const SSH_END =
  'fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.';

it.each([
  `ssh: connect to host git.example port 22: Connection refused\n${SSH_END}`,
  `ssh: Could not resolve hostname git.example: Name or service not known\n${SSH_END}`,
  `kex_exchange_identification: Connection closed by remote host\n${SSH_END}`,
  `client_loop: send disconnect: Broken pipe\n${SSH_END}`,
  "fatal: unable to access 'https://git.example/x.git/': Could not resolve host: git.example",
  'error: RPC failed; HTTP 503 curl 22\nfatal: the remote end hung up unexpectedly',
  " ! [remote rejected] a -> refs/heads/b (cannot lock ref 'refs/heads/b': reference already exists)",
  ' ! [remote rejected] a -> refs/guardkit/F/T/T1-e1 (Internal Server Error)',
  'error: remote unpack failed: unable to create temporary object directory\n ! [remote rejected] a -> b (unpacker error)',
])('[MANY-2] git’s %j means that the remote is away', (stderr) => {
  expect(isRefusal(stderr)).toBe(false);
});

it.each([
  `git@git.example: Permission denied (publickey).\n${SSH_END}`,
  `Host key verification failed.\n${SSH_END}`,
  `ERROR: Repository not found.\n${SSH_END}`,
  `fatal: '/srv/x.git' does not appear to be a git repository\n${SSH_END}`,
  "fatal: could not read Username for 'https://git.example': terminal prompts disabled",
  ' ! [remote rejected] a -> b (pre-receive hook declined)',
  ' ! [rejected]        a -> b (stale info)',
])('[MANY-2] git’s %j is the remote’s answer', (stderr) => {
  expect(isRefusal(stderr)).toBe(true);
});
