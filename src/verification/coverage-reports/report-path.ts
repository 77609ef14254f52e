/** A path as a report gives it, with `/` and without `.`, `//` and inner `..`; leading `..` stay. */
export function reportPath(given: string): string {
  const path = given.trim().replaceAll('\\', '/');
  const root = /^(?:[A-Za-z]:)?\//.exec(path)?.[0] ?? '';
  const kept: string[] = [];
  for (const part of path.slice(root.length).split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (root === '') kept.push(part);
  }
  return root + kept.join('/');
}

export function isAbsolutePath(path: string): boolean {
  return /^(?:[A-Za-z]:)?\//.test(path);
}
