/**
 * What a command in the sandbox may touch. Everything that is not named can be read and not written, but for the
 * system's scratch folders, which are private and empty. A path applies to all below it until a deeper one says
 * otherwise; of two words on one path the stricter holds. Symbolic links are resolved first.
 */
export interface SandboxPolicy {
  /** Have to exist. */
  writable: string[];
  /**
   * What the command must not change though it lies in something writable. One that is missing must stay missing: an
   * empty file, or an empty folder if the path ends in a slash, holds its place while the command runs and is gone
   * afterwards. So name no missing file whose mere presence changes what runs.
   */
  readOnly: string[];
  /** Can be neither read nor written. */
  hidden: string[];
  /** Can be written, and are as before when the command has ended. Have to exist, and lie in no other one. */
  disposable?: DisposableFolder[];
  /** `loopback`: a network of its own in which only itself can be reached. `host`: that of the machine. */
  network: 'loopback' | 'host';
}

export interface DisposableFolder {
  path: string;
  /** Where the writes go: a new folder for each run, on a disk with room for them. */
  scratch: string;
}

export type Access = 'writable' | 'disposable' | 'read-only' | 'hidden';

/** One resolved path that exists. */
export interface SandboxEntry {
  path: string;
  access: Access;
  folder: boolean;
  /** The source of the mount (default: the path itself). */
  source?: string;
  /** The folder for the writes of an overlay that bubblewrap has to mount. */
  overlay?: string;
}
