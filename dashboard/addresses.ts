import { computed, signal } from '@preact/signals';
import { report } from './report.ts';
import { store, stored } from './storage.ts';

const KEY = 'guardkit.project';

const hash = signal(location.hash || `#/${report?.start ?? 'now'}`);
addEventListener('hashchange', () => {
  hash.value = location.hash || `#/${report?.start ?? 'now'}`;
});

/** `#/feature/FEAT-1/turn/2?project=shop` as parts and parameters. */
export const route = computed(() => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?');
  return {
    parts: path
      .split('/')
      .filter((part) => part !== '')
      .map(decode),
    query: new URLSearchParams(query),
  };
});

/** Of the data folder, the one with the newest entry first. */
export const knownProjects = signal<readonly string[]>([]);

/** The shown project: of the address, else the last one, else the newest. */
export const project = computed(() => {
  if (report) return report.project;
  const known = knownProjects.value;
  const named = route.value.query.get('project') ?? stored(KEY);
  return named !== null && known.includes(named) ? named : known[0];
});

export function chooseProject(name: string): void {
  store(KEY, name);
  go('now', name);
}

/** An address within the page. */
export function link(path: string, name = project.value): string {
  return `#/${path}${name === undefined ? '' : `?project=${encodeURIComponent(name)}`}`;
}

export function go(path: string, name = project.value): void {
  location.hash = link(path, name);
}

/** A wrong address is no reason to show nothing. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
