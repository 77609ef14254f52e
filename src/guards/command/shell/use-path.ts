import type { PathMode } from '../command-analysis.ts';
import type { Findings } from '../findings.ts';
import { resolvePath } from '../resolve-path.ts';
import type { Field } from '../words/field.ts';
import type { Frame } from './scope.ts';

/** Records a path from everywhere it may start, and what it leads to through links that this command made. */
export function usePath(mode: PathMode, field: Field, by: string, frame: Frame, findings: Findings): void {
  findings.literal(field.text);
  const { scope } = frame;
  const relative = !field.text.startsWith('/');
  for (const [index, cwd] of scope.cwds.entries()) {
    if (index > 0 && !relative) break;
    const found = resolvePath(field, cwd);
    if (found === undefined || found.path.startsWith('/dev/fd/')) continue;
    const exact = found.exact && index === 0 && !(relative && scope.lost);
    findings.use({ ...found, mode, by, exact });
    const through = throughLinks(found.path, scope.links);
    if (through !== undefined) findings.use({ ...found, path: through, mode, by, exact });
  }
}

function throughLinks(path: string, links: ReadonlyMap<string, string>): string | undefined {
  if (links.size === 0) return undefined;
  let current = path;
  for (let hops = 0; hops < 8; hops += 1) {
    const next = oneHop(current, links);
    if (next === undefined) return hops === 0 ? undefined : current;
    current = next;
  }
  return current;
}

function oneHop(path: string, links: ReadonlyMap<string, string>): string | undefined {
  for (const [link, target] of links)
    if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
  return undefined;
}
