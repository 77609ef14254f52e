const MAX_TEXT = 4000;

/** Lines that a program wrote: stack traces, log lines, results of tests, diffs. */
const PRINTED =
  /^\s*(?:at \S+ ?\(|\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|(?:FAIL|PASS|ERROR|WARN|INFO|DEBUG|FATAL|Traceback|Caused by|npm ERR|error TS|error\[|warning:|E {3}|[✓✗×❯●] |\+\+\+ |--- |@@ |\$ |> |\| ))/;

/**
 * What a person says in a prompt, in their own words: without code, quotes and pasted output, in lower case, without accents
 * and apostrophes, one space between words. Marks that end a sentence stay.
 */
export function plainWords(text: string): string {
  const own = withoutCode(text.slice(0, MAX_TEXT).normalize('NFKC'))
    .split('\n')
    .filter((line) => !PRINTED.test(line))
    .join(' . ');
  return fold(withoutQuotes(own));
}

/** The same for words of ours, so that both are written alike. */
export function fold(text: string): string {
  return foldLetters(text.toLowerCase())
    .replace(/['’‘`´]/g, '')
    .replace(/[。．]/g, ' . ')
    .replace(/[！]/g, ' ! ')
    .replace(/[？]/g, ' ? ')
    .replace(/([.!?])(?=\s|$)/g, ' $1 ')
    .replace(/[^\p{L}\p{N}\p{M}.!?_/]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Letters without what stands above or below them. */
export function foldLetters(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/ß/g, 'ss')
    .replace(/ł/g, 'l');
}

function withoutCode(text: string): string {
  let result = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf('```', from);
    if (open < 0) return result + text.slice(from);
    result += `${text.slice(from, open)}\n`;
    const close = text.indexOf('```', open + 3);
    if (close < 0) return result;
    from = close + 3;
  }
}

/** Somebody else's words, where there are more than a name of. */
function withoutQuotes(text: string): string {
  return text.replace(/["“„«「][^"“”„«»「」\n]{12,400}["”“»」]/g, ' ');
}

/** Code or output in the prompt shows that something fails. */
export function pastedFault(text: string): boolean {
  return FAILURE.test(text.slice(0, MAX_TEXT));
}

const FAILURE =
  /(?<![\p{L}])(?:FAIL(?:ED|URE)?|[A-Z]\w{0,30}Error:|error TS\d|Traceback|panic:|undefined is not|Cannot find|expected \S{1,40}|Expected:|Received:|received \S{1,40}|exit code [1-9]|ENOENT|HTTP\/\S{1,4} [45]\d\d|npm ERR)/u;
