import { GuardKitError } from '../../guardkit-error.ts';
import { sqlState } from '../postgres/postgres-error.ts';

/** The codes that `guardkit_queue.append` raises. */
export function chainError(error: unknown, feature: string): unknown {
  switch (sqlState(error instanceof GuardKitError ? error.cause : error)) {
    case 'GK001':
      return claimLost(feature);
    case 'GK002':
      return new GuardKitError({
        code: 'queue.tip-moved',
        kind: 'refused',
        message: `Another worker completed a feature while ${feature} was being verified.`,
        hint: 'Nothing to do: it is verified again on the new tip.',
      });
    case 'GK003':
      return new GuardKitError({
        code: 'queue.recorded-twice',
        kind: 'refused',
        message: `Another worker already recorded this step of ${feature}.`,
        hint: 'Nothing to do: the first record counts.',
      });
    case 'GK005':
      return new GuardKitError({
        code: 'queue.no-claim',
        kind: 'refused',
        message: 'Workers have begun to build this project, and only they can add records of builds.',
        hint: 'Queue the feature with `guardkit queue add FEATURE`; a worker builds it.',
      });
    default:
      return error;
  }
}

export function claimLost(feature: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.claim-lost',
    kind: 'refused',
    message: `${feature} is no longer this worker’s: it was cancelled, or another worker took it over.`,
    hint: 'Nothing to do: later writes of this worker are ignored.',
  });
}

export function otherVersion(
  { host, pid, version }: { host: string; pid: number; version: string },
  own: string,
): GuardKitError {
  return new GuardKitError({
    code: 'queue.other-version',
    kind: 'outside',
    message: `A worker of this project runs guardkit ${version} (process ${pid} on ${host}); this one is ${own}.`,
    hint: 'Install the same version on all machines. To upgrade, stop all workers first; their builds go back to the queue.',
  });
}

export function noServer(): GuardKitError {
  return new GuardKitError({
    code: 'queue.no-server',
    kind: 'input',
    message: 'No PostgreSQL server is configured, and the queue needs one.',
    hint: 'Set GUARDKIT_DATABASE_URL or store.url to postgres://user:password@host:5432/database.',
  });
}

export function notInitialized(location: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.not-initialized',
    kind: 'input',
    message: `The database ${location} has no queue yet.`,
    hint: 'Run `guardkit queue init` once, in the project.',
  });
}
