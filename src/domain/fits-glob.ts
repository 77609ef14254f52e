/** Whether a text fits a glob: `*` is anything but a slash, `**` anything at all, `?` one character. Never slower than one times the other. */
export function fitsGlob(text: string, glob: string): boolean {
  return endsFit(text, glob) && fitsPieces(text, piecesOf(glob));
}

/** The same for many texts: what has to be known of the glob is found out once, and only when a text asks for it. */
export function globMatcher(glob: string): (text: string) => boolean {
  let pieces: readonly string[] | undefined;
  let literals: readonly string[] = [];
  return (text) => {
    if (pieces === undefined) {
      if (!endsFit(text, glob)) return false;
      pieces = piecesOf(glob);
      literals = glob.split(/\*\*\/?|[*?]/).filter((literal) => literal !== '');
    }
    return holds(text, literals) && endsFit(text, glob) && fitsPieces(text, pieces);
  };
}

function piecesOf(glob: string): readonly string[] {
  return glob.match(/\*\*\/?|\*|\?|[^*?]/g) ?? [];
}

/** Whether a text has these in it, one after the other. What lacks one of a glob's letters needs no closer look. */
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
        // `**/` also stands for nothing, but not for half of a name.
        if (piece === '**/' ? here || (open && before === '/') : open) next[at] = 1;
      } else if (at > 0 && reached[at - 1] === 1 && (piece === '?' ? before !== '/' : before === piece))
        next[at] = 1;
    }
    reached = next;
  }
  return reached[text.length] === 1;
}

/** Whether what stands before the first sign of a pattern, and after the last one, is there: most texts fail by it at once. */
function endsFit(text: string, glob: string): boolean {
  const first = glob.search(/[*?]/);
  if (first < 0) return text === glob;
  if (!text.startsWith(glob.slice(0, first))) return false;
  const last = Math.max(glob.lastIndexOf('*'), glob.lastIndexOf('?'));
  // The slash of `**/` belongs to the pattern.
  const after = glob.startsWith('**/', last - 1) ? last + 2 : last + 1;
  return text.endsWith(glob.slice(after));
}
