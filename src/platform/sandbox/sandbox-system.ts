import { isInside } from './path-inside.ts';
import { resolvePath } from './resolve-path.ts';
import { PRIVATE_FOLDERS, type SandboxSystem } from './sandbox-arguments.ts';

/** In the private /run: the file that names the servers of names often is a link there, and on NixOS all programs are. */
const KEPT = ['/etc/resolv.conf', '/run/current-system', '/run/booted-system', '/run/opengl-driver'];

export function readSystem(): SandboxSystem {
  const privateFolders = PRIVATE_FOLDERS.filter((folder) => {
    const { path, stats } = resolvePath(folder);
    return path === folder && stats?.isDirectory();
  });
  const kept = KEPT.map((path) => resolvePath(path))
    .filter(({ path, stats }) => stats && privateFolders.some((folder) => isInside(path, folder)))
    .map(({ path, stats }) => ({
      path,
      access: 'read-only' as const,
      folder: stats?.isDirectory() === true,
    }));
  return { privateFolders, kept };
}
