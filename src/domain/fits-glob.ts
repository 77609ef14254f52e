/** Whether a text fits a glob: `*` is anything but a slash, `**` anything at all, `?` one character. Never slower than one times the other. */
export function fitsGlob(text: string, glob: string): boolean {
  const pieces = glob.match(/\*\*\/?|\*|\?|[^*?]/g) ?? [];
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
