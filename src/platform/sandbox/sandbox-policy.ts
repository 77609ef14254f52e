/**
 * Access of a command in the sandbox. Other paths are read-only, except the system's scratch folders, which are private and
 * empty. A path applies to everything below it, unless a deeper path overrides it; for the same path the stricter rule wins.
 * Symbolic links are resolved first.
 */
export interface SandboxPolicy {
  /** Must exist. */
  writable: string[];
  /**
   * Protected paths inside writable ones. A missing path must stay missing: an empty file, or an empty folder if the path ends
   * in a slash, takes its place during the run and is removed after it. So do not list a missing file whose mere presence
   * changes what runs.
   */
  readOnly: string[];
  /** Neither readable nor writable. */
  hidden: string[];
  /** Writable during the run and unchanged after it. Must exist, and must not be nested. */
  disposable?: DisposableFolder[];
  /** `loopback`: a separate network with only itself. `host`: the machine's network. */
  network: 'loopback' | 'host';
}

export interface DisposableFolder {
  path: string;
  /** The folder for writes: a new one for each run, on a disk with enough space. */
  scratch: string;
}

export type Access = 'writable' | 'disposable' | 'read-only' | 'hidden';

/** A resolved path that exists. */
export interface SandboxEntry {
  path: string;
  access: Access;
  folder: boolean;
  /** The source of the mount (default: the path itself). */
  source?: string;
  /** The folder for the writes of an overlay that bubblewrap has to mount. */
  overlay?: string;
}
