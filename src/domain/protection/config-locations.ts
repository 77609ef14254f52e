import { basename, dirname, isAbsolute, join } from 'node:path';

/** A folder in which agents or git look for a person's orders in place of the home folder, since a variable says so. */
export interface ConfigLocation {
  folder: string;
  /** What is looked for in it, relative to it. */
  roots: readonly string[];
  /** The path in the home folder that a path in this one stands for. */
  asAtHome(path: string): string;
}

const CLAUDE_ROOTS = [
  'settings.json',
  'settings.local.json',
  'hooks',
  'agents',
  'commands',
  'skills',
  'plugins',
  '.claude.json',
];
const GIT_ROOTS = ['git/config', 'git/attributes'];

/** Where a person's orders lie elsewhere than in their home folder. A path that is not absolute is taken by nobody. */
export function configLocations(env: NodeJS.ProcessEnv, home: string): ConfigLocation[] {
  const { CLAUDE_CONFIG_DIR: claude, XDG_CONFIG_HOME: config, GIT_CONFIG_GLOBAL: git } = env;
  const found: ConfigLocation[] = [];
  if (isElsewhere(claude, join(home, '.claude')))
    found.push({
      folder: claude,
      roots: CLAUDE_ROOTS,
      asAtHome: (path) => (path === '.claude.json' ? path : `.claude/${path}`),
    });
  if (isElsewhere(config, join(home, '.config')))
    found.push({ folder: config, roots: GIT_ROOTS, asAtHome: (path) => `.config/${path}` });
  if (isElsewhere(git, join(home, '.gitconfig')) && git !== '/dev/null') {
    const name = basename(git);
    found.push({
      folder: dirname(git),
      roots: [name],
      asAtHome: (path) => (path === name ? '.gitconfig' : ''),
    });
  }
  return found;
}

function isElsewhere(path: string | undefined, usual: string): path is string {
  return path !== undefined && isAbsolute(path) && join(path) !== usual && join(path, '.') !== usual;
}
