import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import { describeEvidence, type Evidence } from '../../domain/entities/evidence.ts';
import { tellingLines } from '../output/telling-lines.ts';
import { isDependencyFolder, isInstalled, isReportFolder } from '../workspaces/dependency-folders.ts';
import type { Room } from '../workspaces/room.ts';
import { makeRoomHome, returnDownloads, takeDownloads } from '../workspaces/room-home.ts';
import { BARE_ROOM, type RoomState, setupFiles, setupFolders } from '../workspaces/room-state.ts';
import { sealFiles, sealFolders } from '../workspaces/seal-folders.ts';
import { setupKey } from '../workspaces/setup-key.ts';
import { recordEvidence } from './record-evidence.ts';
import type { RunContext, RunTree } from './run-context.ts';
import { builtIn, runInRoom } from './run-in-room.ts';

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
    await room.ensurePlaced(on.tree, commit, 'nothing');
    makeRoomHome(room.home, context.env, builtIn(context));
    return { ready: true };
  }
  const { command, timeout = DEFAULT_TIMEOUT_S } = typeof setup === 'string' ? { command: setup } : setup;
  const key = await setupKey(repository, on.tree, command);
  if (holds(room, key, on.tree) && isIntact(room)) {
    await room.ensurePlaced(on.tree, commit);
    return { ready: true };
  }
  // A result that holds for another tree or other dependencies is kept; one that was changed is worth nothing.
  if (holds(room, key, on.tree)) room.remember(BARE_ROOM);
  await room.place(on.tree, commit, 'nothing');
  if (room.bringBack(key, on.tree)) {
    intact.delete(room);
    if (isIntact(room)) {
      await room.place(on.tree, commit);
      return { ready: true };
    }
    room.remember(BARE_ROOM);
    await room.place(on.tree, commit, 'nothing');
  }
  return setUp(context, { command, timeoutMs: timeout * 1000, key, commit }, on);
}

async function setUp(
  context: RunContext,
  { command, timeoutMs, key, commit }: { command: string; timeoutMs: number; key: string; commit: string },
  on: RunTree,
): Promise<SetupResult> {
  const { room, env } = context;
  const cache = join(context.home, 'caches', context.project);
  const by = on.is === 'base' ? 'base' : 'other';
  makeRoomHome(room.home, env, builtIn(context));
  await takeDownloads(room.home, cache, by);
  return runInRoom(
    context,
    // Dependencies come from the network, whatever the commands after it may reach.
    { check: 'setup', command, timeoutMs, on, network: 'host', installs: true },
    async ({ evidence }) => {
      recordEvidence(context, evidence);
      await returnDownloads(room.home, cache, by);
      if (evidence.exit !== 0) return { ready: false, why: failure(command, evidence), evidence };
      room.remember(await describeSetup(room, key, on.tree));
      intact.add(room);
      await room.place(on.tree, commit);
      return { ready: true };
    },
  );
}

async function describeSetup(room: Room, key: string, tree: string): Promise<RoomState> {
  const additions = await room.additions();
  // A link to a folder can be given another meaning by any command, since nothing can be mounted on a link.
  const installed = additions.filter(
    (path) => (isInstalled(withoutSlash(path)) && !isLinkedFolder(room, path)) || isBare(room, path),
  );
  const others = additions.filter((path) => !installed.includes(path) && !isReportFolder(withoutSlash(path)));
  const state = {
    ...BARE_ROOM,
    setupKey: key,
    setupTree: others.length > 0 ? tree : null,
    dependencyFolders: installed.filter((path) => path.endsWith('/')).map(withoutSlash),
    dependencyFiles: installed.filter((path) => !path.endsWith('/')),
    otherAdditions: others,
  };
  return { ...state, ...seals(room, state) };
}

function seals({ folder, home }: Room, state: RoomState): Pick<RoomState, 'seal' | 'filesSeal'> {
  return {
    seal: `${sealFolders(folder, setupFolders(state))} ${sealFolders(home, ['.'], 'include')}`,
    filesSeal: sealFiles(folder, setupFiles(state)),
  };
}

function holds({ state }: Room, key: string, tree: string): boolean {
  return state.setupKey === key && (state.setupTree === null || state.setupTree === tree);
}

/**
 * Whatever ran since could have changed single files that the set-up left and, without a sandbox, everything. So could an
 * agent that runs in none, as long as nobody had the room: it is looked at once by whoever takes it.
 */
function isIntact(room: Room): boolean {
  const { folder, state } = room;
  if (sealFiles(folder, setupFiles(state)) !== state.filesSeal) return false;
  if (intact.has(room) && !state.exposed) return true;
  if (seals(room, state).seal !== state.seal) return false;
  intact.add(room);
  return true;
}

/** Rooms whose dependencies were found, or left, as the set-up left them. */
const intact = new WeakSet<Room>();

/** A folder without any file follows from no tree. */
function isBare(room: Room, path: string): boolean {
  if (!path.endsWith('/')) return false;
  const entries = readdirSync(join(room.folder, path), { withFileTypes: true, recursive: true });
  return entries.every((entry) => entry.isDirectory());
}

function isLinkedFolder(room: Room, path: string): boolean {
  return (
    isDependencyFolder(path) &&
    lstatSync(join(room.folder, path), { throwIfNoEntry: false })?.isSymbolicLink() === true
  );
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

function failure(command: string, evidence: Evidence): string {
  const [first = ''] = tellingLines(evidence.output_tail, 2);
  return `the set-up "${command}" failed with ${describeEvidence(evidence)}${first === '' ? '' : `: ${first.trim()}`}`;
}
