import { templateEnd } from '../../test-files/template-end.ts';

export interface JsToken {
  type: 'word' | 'string' | 'value' | 'mark';
  /** Strings of both quotes have the same text; everything else is as written. */
  text: string;
  /** It starts on another line than the previous token ends. */
  newline: boolean;
  /** The comments before it. */
  comments: string;
}

const SPACE = /[\s\uFEFF]+/y;
const COMMENT = /\/\/[^\n\r\u2028\u2029]*|\/\*(?:[^*]|\*(?!\/))*\*\//y;
const STRING = /"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'/y;
const NUMBER = /\d[\w.]*/y;
const WORD = /[\p{L}\p{N}_$\u200c\u200d]+/uy;
const REGEX = /\/(?:[^/\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/\w*/y;
const MARK =
  />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|>>|\*\*|[{}()[\];,<>+\-*/%&|^!~?:=.@#]/y;
/** After these words a slash starts a regular expression. */
const BEFORE_VALUE = new Set(
  'return typeof case in of delete void throw new else do await yield instanceof default'.split(' '),
);
/** After these marks, a slash may be either. */
const UNCLEAR = new Set([')', '}', '++', '--', '!', '>']);

/** The tokens of JavaScript, TypeScript or JSON with comments; undefined if it cannot be read with certainty. */
export function jsTokens(text: string): JsToken[] | undefined {
  // In a script these start a comment, depending on where they are.
  if (text.includes('<!--') || text.includes('-->')) return undefined;
  const tokens: JsToken[] = [];
  let at = 0;
  let newline = false;
  let comments = '';
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const push = (type: JsToken['type'], tokenText: string) => {
    tokens.push({ type, text: tokenText, newline, comments });
    newline = false;
    comments = '';
  };
  while (at < text.length) {
    const space = take(SPACE) ?? take(COMMENT);
    if (space !== undefined) {
      if (/[\n\r\u2028\u2029]/.test(space)) newline = true;
      if (space.startsWith('/')) comments += `${trimLines(space)}\n`;
      continue;
    }
    if (text[at] === '`') {
      const end = templateEnd(text, at);
      if (end === -1) return undefined;
      const template = text.slice(at, end + 1);
      at = end + 1;
      push('value', template);
      continue;
    }
    const string = take(STRING);
    if (string !== undefined) {
      push('string', plainString(string));
      continue;
    }
    const number = take(NUMBER);
    const word = number ?? take(WORD);
    if (word !== undefined) {
      push(number === undefined ? 'word' : 'value', word);
      continue;
    }
    const slash = text[at] === '/' ? slashAfter(tokens.at(-1)) : 'division';
    if (slash === 'unclear') return undefined;
    const mark = slash === 'regex' ? take(REGEX) : take(MARK);
    if (mark === undefined) return undefined;
    push(slash === 'regex' ? 'value' : 'mark', mark);
  }
  if (comments !== '') push('mark', '');
  return tokens;
}

function slashAfter(previous: JsToken | undefined): 'regex' | 'division' | 'unclear' {
  if (previous === undefined) return 'regex';
  if (previous.type === 'word') return BEFORE_VALUE.has(previous.text) ? 'regex' : 'division';
  if (previous.type !== 'mark' || previous.text === ']') return 'division';
  return UNCLEAR.has(previous.text) ? 'unclear' : 'regex';
}

function trimLines(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}

/** With escaped quotes written plainly; other escapes stay as they are. */
function plainString(string: string): string {
  const content = string.slice(1, -1).replace(/\\([\s\S])/g, (escaped, char: string) => {
    return char === '"' || char === "'" ? char : escaped;
  });
  return `"${content}"`;
}
