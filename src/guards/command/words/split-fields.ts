import { boundedText, type Field } from './field.ts';

/** A piece of a word: `split` is what an unquoted expansion gave, `break` ends a field as `"$@"` does. */
export type Piece =
  | { readonly type: 'plain' | 'split' | 'glob'; readonly text: string }
  | { readonly type: 'quoted'; readonly text: string }
  | { readonly type: 'break' };

const MAX_FIELDS = 1000;

/** Puts the pieces of a word together, splitting where a shell would. */
export function splitFields(pieces: readonly Piece[], separators: string): Field[] {
  const fields: Field[] = [];
  let text = '';
  let glob = false;
  let begun = false;
  const end = () => {
    if (begun && fields.length < MAX_FIELDS) fields.push({ text: boundedText(text), glob });
    text = '';
    glob = false;
    begun = false;
  };
  for (const piece of pieces) {
    if (piece.type === 'break') end();
    else if (piece.type !== 'split') {
      text += piece.text;
      glob ||= piece.type === 'glob';
      begun ||= piece.type === 'quoted' || piece.text !== '';
    } else {
      let from = 0;
      for (let at = 0; at <= piece.text.length; at += 1) {
        const char = piece.text[at];
        if (char !== undefined && !separators.includes(char)) {
          glob ||= char === '*' || char === '?' || char === '[';
          continue;
        }
        text += piece.text.slice(from, at);
        begun ||= at > from;
        from = at + 1;
        if (char !== undefined) end();
      }
    }
  }
  end();
  return fields;
}
