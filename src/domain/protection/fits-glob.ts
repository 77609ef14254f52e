/** Matches a glob: `*` is anything but a slash, `**` anything, `?` one character. Time is bounded by text length × glob length. */
export function fitsGlob(text: string, glob: string): boolean {
  return endsFit(text, endsOf(glob)) && fitsPieces(text, piecesOf(glob));
}

/** A matcher for many texts: the glob is parsed once, on first use. */
export function globMatcher(glob: string): (text: string) => boolean {
  let ends: GlobEnds | undefined;
  let parts: { pieces: readonly string[]; literals: readonly string[] } | undefined;
  return (text) => {
    ends ??= endsOf(glob);
    if (!endsFit(text, ends)) return false;
    parts ??= { pieces: piecesOf(glob), literals: glob.split(/\*\*\/?|[*?]/) };
    return holds(text, parts.literals) && fitsPieces(text, parts.pieces);
  };
}

function piecesOf(glob: string): readonly string[] {
  return glob.match(/\*\*\/?|\*|\?|[^*?]/g) ?? [];
}

/** Whether a text contains these parts in order. A text without them cannot match. */
function holds(text: string, literals: readonly string[]): boolean {
  let from = 0;
  for (const literal of literals) {
    const at = text.indexOf(literal, from);
    if (at < 0) return false;
    from = at + literal.length;
  }
  return true;
}

function fitsPieces(text: string, pieces: readonly string[]): boolean {
  let reached = new Uint8Array(text.length + 1);
  reached[0] = 1;
  for (const piece of pieces) {
    const next = new Uint8Array(text.length + 1);
    let open = false;
    for (let at = 0; at <= text.length; at += 1) {
      const here = reached[at] === 1;
      const before = text[at - 1];
      if (piece === '*' || piece.startsWith('**')) {
        if (piece === '*' && before === '/') open = false;
        open ||= here;
        // `**/` also matches nothing, but not half of a name.
        if (piece === '**/' ? here || (open && before === '/') : open) next[at] = 1;
      } else if (at > 0 && reached[at - 1] === 1 && (piece === '?' ? before !== '/' : before === piece))
        next[at] = 1;
    }
    reached = next;
  }
  return reached[text.length] === 1;
}

/** The literal text before the first wildcard and after the last; undefined if there is no wildcard. */
interface GlobEnds {
  first: string;
  last: string | undefined;
}

function endsOf(glob: string): GlobEnds {
  const sign = glob.search(/[*?]/);
  if (sign < 0) return { first: glob, last: undefined };
  const last = Math.max(glob.lastIndexOf('*'), glob.lastIndexOf('?'));
  // The slash of `**/` belongs to the pattern.
  const after = glob.startsWith('**/', last - 1) ? last + 2 : last + 1;
  return { first: glob.slice(0, sign), last: glob.slice(after) };
}

/** Most texts already fail at their ends. */
function endsFit(text: string, { first, last }: GlobEnds): boolean {
  return last === undefined ? text === first : text.startsWith(first) && text.endsWith(last);
}
