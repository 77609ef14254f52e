/** Elements whose text nobody sees. */
const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'svg']);

/** Roughly what a person sees of a page: its text without tags. One pass, whatever the page holds. */
export function visibleText(html: string): string {
  const seen: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      seen.push(html.slice(at));
      break;
    }
    seen.push(html.slice(at, open));
    if (html.startsWith('<!--', open)) {
      at = after(html, '-->', open);
      continue;
    }
    const end = after(html, '>', open);
    const name = tagName(html, open + 1);
    at = UNSEEN.has(name) && html[end - 2] !== '/' ? after(html, `</${name}`, end) : end;
    if (at !== end) at = after(html, '>', at);
    seen.push(' ');
  }
  return seen.join('').split(/\s+/).join(' ').trim();
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

function tagName(html: string, from: number): string {
  return /^[a-z][a-z0-9]{0,20}/.exec(html.slice(from, from + 24).toLowerCase())?.[0] ?? '';
}
