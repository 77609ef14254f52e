import { type BytePath, bytesOf } from './byte-path.ts';
import type { Mount, ShellFacts } from './plan-mounts.ts';

/**
 * The same plan for macOS: the text of a profile for sandbox-exec. The last rule that fits decides, so that a writable
 * folder in a read-only one follows it. Not tested on a Mac.
 */
export function sandboxProfile(mounts: readonly Mount[], { pinned }: Pick<ShellFacts, 'pinned'>): Buffer {
  const rules = mounts.map(({ source, target, writable }) => {
    if (source !== target) return `(deny network-outbound (subpath ${literal(target)}))`;
    return `(${writable ? 'allow' : 'deny'} file-write* (subpath ${literal(target)}))`;
  });
  const pins = pinned.map((path) => `(deny file-write-unlink (literal ${literal(path)}))`);
  return bytesOf(['(version 1)', '(allow default)', ...rules, ...pins, ''].join('\n'));
}

function literal(path: BytePath): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
