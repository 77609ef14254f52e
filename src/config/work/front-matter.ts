/** A file's front matter and body, each with the lines it stands on. */
export interface SplitText {
  /** Begins with as many empty lines as stand above it, so that places in it are places in the file. */
  yaml: string;
  body: readonly string[];
  /** The number of the body's first line. */
  bodyLine: number;
}

export type SplitResult =
  | { ok: true; value: SplitText }
  | { ok: false; line: number; code: string; message: string; hint: string };

const HINT = 'begin the file with ---, the keys id: and title:, and --- again';

/** Parts a Markdown file into its YAML front matter and the rest. */
export function splitFrontMatter(text: string): SplitResult {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return { ok: false, line: 1, code: 'empty-file', message: 'the file is empty', hint: HINT };
  if (lines[first]?.trimEnd() !== '---') {
    return {
      ok: false,
      line: first + 1,
      code: 'no-front-matter',
      message: 'there is no front matter',
      hint: HINT,
    };
  }
  const length = lines.slice(first + 1).findIndex((line) => /^(?:---|\.\.\.)[ \t]*$/.test(line));
  if (length < 0) {
    return {
      ok: false,
      line: first + 1,
      code: 'open-front-matter',
      message: 'the front matter begins here and does not end',
      hint: 'end it with a line of ---',
    };
  }
  const end = first + 1 + length;
  return {
    ok: true,
    value: {
      yaml: '\n'.repeat(first + 1) + lines.slice(first + 1, end).join('\n'),
      body: lines.slice(end + 1),
      bodyLine: end + 2,
    },
  };
}
