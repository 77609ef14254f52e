import type { VerifyConfig } from '../../config/verify-config.ts';
import { describeEvidence, type Evidence } from '../../domain/evidence.ts';
import { isDependencyFolder } from '../rooms/dependency-folders.ts';
import type { Room } from '../rooms/room.ts';
import { BARE_ROOM } from '../rooms/room-state.ts';
import { sealFolders } from '../rooms/seal-folders.ts';
import { setupKey } from '../rooms/setup-key.ts';
import { recordEvidence } from './record-evidence.ts';
import type { RunContext, RunTree } from './run-context.ts';
import { runInRoom } from './run-in-room.ts';

const DEFAULT_TIMEOUT_S = 20 * 60;

export type SetupResult = { ready: true } | { ready: false; why: string; evidence: Evidence };

/** Places the tree in the room and makes it runnable, unless an earlier set-up for the same dependencies holds. */
export async function ensureSetup(
  context: RunContext,
  setup: VerifyConfig['setup'],
  on: RunTree,
): Promise<SetupResult> {
  const { room, repository } = context;
  const commit = on.is === 'candidate' ? context.headCommit : context.baseCommit;
  if (setup === undefined) {
    if (room.state.setupKey !== null) room.remember(BARE_ROOM);
    await room.ensurePlaced(on.tree, commit, 'nothing');
    return { ready: true };
  }
  const { command, timeout = DEFAULT_TIMEOUT_S } = typeof setup === 'string' ? { command: setup } : setup;
  const key = await setupKey(repository, on.tree, command);
  const { setupKey: done, setupTree } = room.state;
  if (done === key && (setupTree === null || setupTree === on.tree) && isIntact(room)) {
    await room.ensurePlaced(on.tree, commit);
    return { ready: true };
  }
  room.remember(BARE_ROOM);
  await room.place(on.tree, commit, 'nothing');
  return runInRoom(
    context,
    // Dependencies come from the network, whatever the commands after it may reach.
    { check: 'setup', command, timeoutMs: timeout * 1000, on, network: 'host', installs: true },
    async ({ evidence }) => {
      recordEvidence(context, evidence);
      if (evidence.exit !== 0) return { ready: false, why: failure(command, evidence), evidence };
      const additions = await room.additions();
      const dependencyFolders = additions.filter(isOwnDependencyFolder).map(withoutSlash);
      const others = additions.filter((path) => !isOwnDependencyFolder(path)).map(withoutSlash);
      room.remember({
        setupKey: key,
        setupTree: others.length > 0 ? on.tree : null,
        dependencyFolders,
        otherAdditions: others,
        seal: sealFolders(room.folder, dependencyFolders),
        exposed: false,
        ...(others.length > 0 ? { otherSeal: sealFolders(room.folder, others) } : {}),
      });
      intact.add(room);
      await room.place(on.tree, commit);
      return { ready: true };
    },
  );
}

/**
 * Whatever ran since could have changed what the set-up built and, without a sandbox, what it installed. So could an agent
 * that runs in none, as long as nobody had the room: it is looked at once by whoever takes it.
 */
function isIntact(room: Room): boolean {
  const { folder, state } = room;
  const { otherAdditions, otherSeal } = state;
  if (otherAdditions.length > 0 && sealFolders(folder, otherAdditions) !== otherSeal) return false;
  if (intact.has(room) && !state.exposed) return true;
  if (sealFolders(folder, state.dependencyFolders) !== state.seal) return false;
  intact.add(room);
  return true;
}

/** Rooms whose dependencies were found, or left, as the set-up left them. */
const intact = new WeakSet<Room>();

/** A link to one can be given another meaning by any command, since nothing can be mounted on a link. */
function isOwnDependencyFolder(path: string): boolean {
  return path.endsWith('/') && isDependencyFolder(path);
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

function failure(command: string, evidence: Evidence): string {
  const last = evidence.output_tail.trimEnd().split('\n').slice(-3).join(' ⏎ ').slice(0, 300);
  return `the set-up "${command}" failed with ${describeEvidence(evidence)}${last === '' ? '' : `: ${last}`}`;
}
