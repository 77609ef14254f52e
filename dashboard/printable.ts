// Control characters, and marks that change the direction of text: agents could disguise what a line says.
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text with unprintable characters replaced. Colours of terminals are removed with their parameters. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the start of a terminal's colour
  return text.replace(/\u001b\[[0-9;]{0,20}m/g, '').replace(UNPRINTABLE, '\ufffd');
}

/** JSON whose texts are printable. */
export function parsePrintable(json: string): unknown {
  return JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? printable(value) : value));
}

/** Printable, and cut to a length that a page can show. Texts of the address have not been made printable before. */
export function short(text: string, most = 300): string {
  return printable(text.length <= most ? text : `${text.slice(0, most)}…`);
}
