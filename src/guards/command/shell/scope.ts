import { type Field, HOLE } from '../words/field.ts';

const MAX_ALTERNATIVES = 8;
const MAX_FILES = 64;
const DEFAULTS: Readonly<Record<string, string>> = {
  IFS: ' \t\n',
  PATH: '/usr/local/bin:/usr/bin:/bin',
  SHELL: '/bin/bash',
};

/** The context of a command. */
export interface Frame {
  readonly scope: Scope;
  readonly depth: number;
  /** The parsed text, and the statement in it that runs. */
  readonly source: string;
  readonly statement: string;
  readonly background: boolean;
  /** Its input; undefined for the agent's own input. */
  readonly stdin: string | undefined;
  readonly wrappers: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the following commands run only if this one succeeds. */
  readonly checked: boolean;
  /** The enclosing functions. */
  readonly calls: readonly string[];
}

/** The state of a shell at one point of a command. */
export class Scope {
  /** All possible values of each variable. */
  readonly variables = new Map<string, readonly string[]>();
  /** The variables with several values; kept separately, since most have one. */
  readonly uncertain = new Set<string>();
  readonly arrays = new Map<string, readonly string[]>();
  readonly functions = new Map<string, (frame: Frame) => string>();
  readonly aliases = new Map<string, string>();
  /** Files that this command wrote, with all possible contents, and links it created; by absolute path, for all scopes. */
  readonly files: Map<string, readonly string[]>;
  readonly links: Map<string, string>;
  /** Folders that it created, so that `cd` into them succeeds. */
  readonly folders: Set<string>;
  /** Possible current folders, most likely first, since a `cd` can fail. */
  cwds: readonly string[];
  before: string;
  /** Whether the current folder is a guess, after a `cd` to an unknown folder. */
  lost = false;
  readonly pushed: string[] = [];
  positional: readonly Field[] | undefined;
  stopsOnError = false;
  /** Incremented on every change, to detect unchanged scopes quickly. */
  version = 0;
  readonly #environment: Readonly<Record<string, string>>;
  readonly home: string;

  constructor(
    cwd: string,
    home: string,
    environment: Readonly<Record<string, string>>,
    disk: Pick<Scope, 'files' | 'links' | 'folders'> = {
      files: new Map(),
      links: new Map(),
      folders: new Set(['/tmp']),
    },
  ) {
    this.cwds = [cwd];
    this.before = cwd;
    this.home = home;
    this.#environment = environment;
    this.files = disk.files;
    this.links = disk.links;
    this.folders = disk.folders;
  }

  get cwd(): string {
    return this.cwds[0] ?? '/';
  }

  values(name: string): readonly string[] {
    if (name === 'PWD') return this.cwds;
    const own = this.variables.get(name);
    if (own !== undefined) return own;
    if (name === 'OLDPWD') return [this.before];
    if (name === 'HOME') return [this.home];
    const inherited = Object.hasOwn(this.#environment, name) ? this.#environment[name] : undefined;
    if (inherited !== undefined) return [inherited.replaceAll(HOLE, '')];
    return [Object.hasOwn(DEFAULTS, name) ? (DEFAULTS[name] ?? HOLE) : HOLE];
  }

  set(name: string, values: readonly string[]): void {
    this.version += 1;
    const kept = values.length > MAX_ALTERNATIVES ? [HOLE] : values;
    this.variables.set(name, kept);
    if (kept.length > 1) this.uncertain.add(name);
    else this.uncertain.delete(name);
    this.arrays.delete(name);
  }

  writeFile(path: string, content: string): void {
    const before = this.files.get(path) ?? [];
    if (this.files.size < MAX_FILES && before.length < MAX_ALTERNATIVES)
      this.files.set(path, [...new Set([...before, content])]);
  }

  enter(folders: readonly string[], surely: boolean): void {
    this.version += 1;
    this.before = this.cwd;
    this.lost = false;
    const all = surely ? folders : [...folders, ...this.cwds];
    this.cwds = [...new Set(all)].slice(0, MAX_ALTERNATIVES);
  }

  fork(): Scope {
    const copy = new Scope(this.cwd, this.home, this.#environment, this);
    copy.assume(this);
    return copy;
  }

  /** Takes over the state of another scope. */
  assume(other: Scope): void {
    this.version += 1;
    for (const key of ['variables', 'arrays', 'functions', 'aliases'] as const) {
      const own: Map<string, unknown> = this[key];
      own.clear();
      for (const [name, value] of other[key]) own.set(name, value);
    }
    this.uncertain.clear();
    for (const name of other.uncertain) this.uncertain.add(name);
    this.cwds = other.cwds;
    this.before = other.before;
    this.lost = other.lost;
    this.pushed.splice(0, this.pushed.length, ...other.pushed);
    this.positional = other.positional;
    this.stopsOnError = other.stopsOnError;
  }

  /** Adds the state of an alternative branch; the own state stays the more likely one. */
  merge(other: Scope): void {
    this.version += 1;
    this.lost ||= other.lost;
    for (const name of new Set([...this.variables.keys(), ...other.variables.keys()])) {
      const all = new Set([...this.values(name), ...other.values(name)]);
      this.set(name, [...all]);
    }
    for (const key of ['arrays', 'functions', 'aliases'] as const) {
      const own: Map<string, unknown> = this[key];
      for (const [name, value] of other[key]) if (!own.has(name)) own.set(name, value);
    }
    this.cwds = [...new Set([...this.cwds, ...other.cwds])].slice(0, MAX_ALTERNATIVES);
  }
}
