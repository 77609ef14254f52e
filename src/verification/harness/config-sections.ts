/** A section of a TOML or INI file with its relevant lines. */
export interface ConfigSection {
  /** As written, without brackets; '' before the first. */
  name: string;
  /** Its keys as dotted paths that include the section's own name, with their text. */
  entries: { key: string; text: string }[];
}

export interface TomlSection extends ConfigSection {
  /** The line of its header, counted from 0. */
  from: number;
}

/** Splits a TOML file into its sections and keys. Comments and blank lines are dropped, except inside values. */
export function readTomlSections(text: string): TomlSection[] {
  const sections: TomlSection[] = [{ name: '', entries: [], from: 0 }];
  let section = sections[0] as TomlSection;
  let entry: { key: string; text: string } | undefined;
  let state: ValueState = { depth: 0, quote: '' };
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (entry !== undefined && (state.depth > 0 || state.quote !== '')) {
      entry.text += `\n${line.trimEnd()}`;
      state = scanValue(line, 0, state);
      continue;
    }
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const equals = keyEnd(trimmed);
    if (trimmed.startsWith('[') && equals === -1) {
      section = { name: plainKey(headerName(trimmed)), entries: [], from: at };
      sections.push(section);
      entry = undefined;
      continue;
    }
    const key = plainKey(equals === -1 ? trimmed : trimmed.slice(0, equals));
    entry = { key: section.name === '' ? key : `${section.name}.${key}`, text: trimmed };
    section.entries.push(entry);
    state = scanValue(trimmed, equals + 1, { depth: 0, quote: '' });
  }
  return sections;
}

/** Splits an INI file into its sections; an indented line continues the previous one. */
export function readIniSections(text: string): ConfigSection[] {
  const sections: ConfigSection[] = [{ name: '', entries: [] }];
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) continue;
    const section = sections[sections.length - 1] as ConfigSection;
    const last = section.entries[section.entries.length - 1];
    if (line.startsWith('[')) sections.push({ name: headerName(trimmed), entries: [] });
    else if (/^\s/.test(line) && last !== undefined) last.text += `\n${trimmed}`;
    else section.entries.push({ key: trimmed.split(/[=:]/, 1)[0]?.trim() ?? '', text: trimmed });
  }
  return sections;
}

/** The content of a TOML file below some dotted paths, in any notation; undefined if there is none. */
export function tomlBelow(sections: readonly ConfigSection[], paths: readonly string[]): string | undefined {
  const lines: string[] = [];
  for (const { name, entries } of sections) {
    const whole = paths.some((path) => isBelow(name, path));
    const chosen = entries.filter(
      ({ key }) => whole || paths.some((path) => isBelow(key, path) || isBelow(path, key)),
    );
    if (whole || chosen.length > 0) lines.push(`[${name}]`, ...chosen.map((entry) => entry.text));
  }
  return lines.length === 0 ? undefined : lines.join('\n');
}

function isBelow(key: string, path: string): boolean {
  return key === path || key.startsWith(`${path}.`);
}

interface ValueState {
  depth: number;
  /** The opening quotes of a string that is still open. */
  quote: string;
}

function scanValue(line: string, start: number, before: ValueState): ValueState {
  let { depth, quote } = before;
  for (let at = start; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (quote !== '') {
      if (char === '\\' && quote.startsWith('"')) at += 1;
      else if (line.startsWith(quote, at)) {
        at += quote.length - 1;
        // Up to two more quotes belong to the text.
        for (let more = 2; quote.length === 3 && more > 0 && line[at + 1] === char; more -= 1) at += 1;
        quote = '';
      }
    } else if (char === '#') break;
    else if (char === '"' || char === "'") {
      quote = line.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
      at += quote.length - 1;
    } else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1);
  }
  // Only triple quotes span lines; an open single quote is a mistake that ends with its line.
  return { depth, quote: quote.length === 3 ? quote : '' };
}

/** The end of a line's key, outside quotes; -1 without a key. */
function keyEnd(line: string): number {
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (quote === '"' && char === '\\') at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '=') return at;
    else if (char === '#') return -1;
  }
  return -1;
}

function headerName(line: string): string {
  const start = line.startsWith('[[') ? 2 : 1;
  const end = line.indexOf(']', start);
  return line.slice(start, end === -1 ? undefined : end).trim();
}

/** The same for `test`, `"test"` and `"\u0074est"`. */
function plainKey(key: string): string {
  return withoutEscapes(key)
    .split('.')
    .map((part) => part.trim().replace(/^["']|["']$/g, ''))
    .join('.');
}

/** The text with the characters that numbers in TOML stand for. */
export function withoutEscapes(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|U(00[\da-f]{6})|x([\da-f]{2}))/gi, (whole, short, long, byte) => {
    const code = Number.parseInt(short ?? long ?? byte, 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}
