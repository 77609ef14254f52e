import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyTree, removeTree } from '../files/file-trees.ts';
import { makeFolder } from '../files/make-folder.ts';
import { isProgram } from '../processes/find-program.ts';
import { runProcess } from '../processes/run-process.ts';
import type { AvailableSandbox } from './find-sandbox.ts';
import { resolvePath } from './resolve-path.ts';
import { overlayArguments } from './sandbox-arguments.ts';
import type { DisposableFolder, SandboxEntry } from './sandbox-policy.ts';

/**
 * How writes to a folder are isolated: by an overlay that bubblewrap mounts, by one mounted before bubblewrap starts (writes
 * on disk or in memory), or by a copy of the folder.
 */
export type LayerMethod = 'bubblewrap' | 'disk' | 'memory' | 'copy';

/** The prepared folders for one command. */
export interface Layers {
  entries: SandboxEntry[];
  /** Placed before bubblewrap and its arguments. */
  prefix: string[];
  /** Added to bubblewrap's options. */
  options: string[];
}

const PROGRAM_FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];
const PROBE_TIMEOUT_MS = 10_000;

/** Names in a layer's scratch folder. `lower` is a link, so that mount options need no quoting. */
const MOUNT_LAYERS = `mount=$1 options=$2 memory=$3 count=$4
shift 4
while [ "$count" -gt 0 ]; do
  cd "$1" || exit 125
  if [ -n "$memory" ]; then
    "$mount" -t tmpfs tmpfs writes && mkdir writes/upper writes/work || exit 125
  fi
  "$mount" -t overlay overlay -o "\${options}lowerdir=lower,upperdir=writes/upper,workdir=writes/work" "$2" || exit 125
  shift 2
  count=$((count - 1))
done
cd / && exec "$@"`;

/** By the sandbox's program and the file system. */
const methods = new Map<string, Promise<LayerMethod>>();

/**
 * Makes folders look writable to a command while their content stays unchanged. Writes go to the scratch folder, which the
 * caller removes.
 */
export async function layerFolders(
  sandbox: AvailableSandbox,
  folders: readonly DisposableFolder[],
  chosen?: LayerMethod,
): Promise<Layers> {
  const [first] = folders;
  if (!first) return { entries: [], prefix: [], options: [] };
  // The writable layer works only on some file systems; all scratch folders are on the same one.
  const method = chosen ?? (await findMethod(sandbox, first.scratch));
  const layers = folders.map(({ path, scratch }) => ({ path: resolvePath(path).path, scratch }));
  for (const layer of layers) await prepareLayer(layer, method);
  const before = method === 'disk' || method === 'memory';
  return {
    entries: layers.map(({ path, scratch }) => ({
      path,
      access: 'disposable',
      folder: true,
      ...(method === 'copy' ? { source: join(scratch, 'copy') } : {}),
      ...(method === 'bubblewrap' ? { overlay: join(scratch, 'writes') } : {}),
    })),
    prefix: before ? mountingPrefix(layers, method) : [],
    options: before && !isRoot() ? identityOptions() : [],
  };
}

/** Tests once per process which method works on the file system of a scratch folder. */
export function findMethod(sandbox: AvailableSandbox, scratch: string): Promise<LayerMethod> {
  const parent = dirname(scratch);
  makeFolder(parent, 0o700);
  const key = `${sandbox.program} ${statSync(parent).dev}`;
  const known = methods.get(key) ?? probeMethods(sandbox, parent);
  methods.set(key, known);
  return known;
}

async function probeMethods(sandbox: AvailableSandbox, parent: string): Promise<LayerMethod> {
  const candidates: LayerMethod[] = [
    ...(hasOverlayOption(sandbox.version) ? (['bubblewrap'] as const) : []),
    'disk',
    'memory',
  ];
  for (const method of candidates) if (await probe(sandbox, method, parent)) return method;
  return 'copy';
}

/** Writes, replaces and deletes files in a small folder, then checks that it is unchanged. */
async function probe(sandbox: AvailableSandbox, method: LayerMethod, parent: string): Promise<boolean> {
  const folder = mkdtempSync(join(parent, 'probe-'));
  try {
    const target = join(folder, 'target');
    makeFolder(join(target, 'inner'));
    writeFileSync(join(target, 'inner', 'file'), 'kept');
    const layer = { path: resolvePath(target).path, scratch: join(folder, 'scratch') };
    await prepareLayer(layer, method);
    const mounts =
      method === 'bubblewrap'
        ? overlayArguments(layer.path, join(layer.scratch, 'writes'))
        : ['--bind', layer.path, layer.path];
    const prefix = method === 'bubblewrap' ? [] : mountingPrefix([layer], method);
    const identity = method === 'bubblewrap' || isRoot() ? [] : identityOptions();
    const script =
      'cat inner/file && echo changed > inner/file && rm -r inner && mkdir inner && echo new > inner/new && ls inner';
    const [program = '', ...args] = [
      ...prefix,
      sandbox.program,
      ...identity,
      ...['--unshare-pid', '--cap-drop', 'ALL', '--ro-bind', '/', '/', ...mounts, '--chdir', layer.path],
      ...['--', '/bin/sh', '-c', script],
    ];
    const { exitCode, stdout } = await runProcess(program, args, {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      timeoutMs: PROBE_TIMEOUT_MS,
    });
    return exitCode === 0 && stdout === 'keptnew\n';
  } catch {
    // Safe: a method that fails to start is not used.
    return false;
  } finally {
    removeTree(folder);
  }
}

async function prepareLayer({ path, scratch }: DisposableFolder, method: LayerMethod): Promise<void> {
  makeFolder(scratch, 0o700);
  if (method === 'copy') return copyTree(path, join(scratch, 'copy'));
  const writes = join(scratch, 'writes');
  mkdirSync(writes);
  if (method !== 'memory') for (const name of ['upper', 'work']) mkdirSync(join(writes, name));
  rmSync(join(scratch, 'lower'), { force: true });
  symlinkSync(path, join(scratch, 'lower'));
}

/** A separate mount namespace, in which the overlays are mounted before bubblewrap starts. */
function mountingPrefix(layers: readonly DisposableFolder[], method: LayerMethod): string[] {
  const user = isRoot() ? [] : ['--user', '--map-root-user'];
  // Outside the initial user namespace, overlay metadata must use attributes that a user may set.
  const mountOptions = isRoot() ? '' : 'userxattr,';
  return [
    findProgram('unshare'),
    ...user,
    ...['--mount', '--propagation', 'private', '/bin/sh', '-c', MOUNT_LAYERS, 'sh'],
    ...[findProgram('mount'), mountOptions, method === 'memory' ? 'memory' : '', String(layers.length)],
    ...layers.flatMap(({ path, scratch }) => [scratch, path]),
  ];
}

/** In the mount namespace the user is root; this restores the person's ids for the command. */
function identityOptions(): string[] {
  return [
    '--unshare-user',
    '--uid',
    String(process.getuid?.() ?? 0),
    '--gid',
    String(process.getgid?.() ?? 0),
  ];
}

function findProgram(name: string): string {
  const found = PROGRAM_FOLDERS.map((folder) => join(folder, name)).find(isProgram);
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

/** Since 0.11, unless installed setuid root. */
function hasOverlayOption(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 0 || minor >= 11;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
