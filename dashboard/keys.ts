import { go } from './addresses.ts';

const VIEWS: Readonly<Record<string, string>> = {
  n: 'now',
  f: 'features',
  m: 'memory',
  g: 'guards',
  e: 'learning',
  a: 'architecture',
  q: 'queue',
  l: 'log',
  h: 'health',
};

/** `g` and a letter opens a view, `/` searches. */
export function listenToKeys(): void {
  let before = '';
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const view = before === 'g' ? VIEWS[event.key] : undefined;
    // After `g g` a letter means nothing.
    before = view === undefined ? event.key : '';
    if (view !== undefined) go(view);
    if (event.key !== '/') return;
    const search = document.getElementById('search');
    if (!search) return;
    event.preventDefault();
    search.focus();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, select, textarea') !== null;
}
