export interface GitSetting {
  /** Section and name in lower case, the subsection unchanged: `remote.Origin.url`. */
  key: string;
  value: string;
}

/**
 * Parses a git configuration file as git does; undefined if git would refuse it. Included files are not read.
 */
export function readGitConfig(text: string): readonly GitSetting[] | undefined {
  const last = known.get(text);
  if (last) return last.settings;
  const settings = parse(text);
  if (known.size >= MAX_KNOWN) known.clear();
  if (text.length <= MAX_KNOWN_LENGTH) known.set(text, { settings });
  return settings;
}

/** By text: a resident process reads the same few files for every action. */
const known = new Map<string, { settings: readonly GitSetting[] | undefined }>();
const MAX_KNOWN = 50;
const MAX_KNOWN_LENGTH = 20_000;

function parse(text: string): GitSetting[] | undefined {
  const reader = new ConfigReader(text);
  try {
    return reader.read();
  } catch (error) {
    if (error === REFUSED) return undefined;
    throw error;
  }
}

const REFUSED = new Error('git refuses this file');

class ConfigReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  }

  read(): GitSetting[] {
    const settings: GitSetting[] = [];
    let section = '';
    for (let char = this.#next(); char !== ''; char = this.#next()) {
      if (/\s/.test(char)) continue;
      if (char === '#' || char === ';') this.#skipLine();
      else if (char === '[') section = this.#section();
      else if (/[A-Za-z]/.test(char)) settings.push(this.#setting(section, char));
      else throw REFUSED;
    }
    return settings;
  }

  /** Empty at the end. */
  #next(): string {
    const char = this.#text[this.#at] ?? '';
    this.#at += 1;
    return char;
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  /** `[section]`, `[section.sub]` or `[section "sub"]`. */
  #section(): string {
    let name = '';
    for (let char = this.#next(); ; char = this.#next()) {
      if (char === ']') return name;
      if (char === ' ' || char === '\t') return `${name}.${this.#subsection()}`;
      if (!/[A-Za-z0-9.-]/.test(char)) throw REFUSED;
      name += char.toLowerCase();
    }
  }

  #subsection(): string {
    let char = this.#next();
    while (char === ' ' || char === '\t') char = this.#next();
    if (char !== '"') throw REFUSED;
    const parts: string[] = [];
    for (char = this.#next(); char !== '"'; char = this.#next()) {
      if (char === '\\') char = this.#next();
      if (char === '\n' || char === '') throw REFUSED;
      parts.push(char);
    }
    if (this.#next() !== ']') throw REFUSED;
    return parts.join('');
  }

  #setting(section: string, first: string): GitSetting {
    let name = first.toLowerCase();
    let char = this.#next();
    for (; /[A-Za-z0-9-]/.test(char); char = this.#next()) name += char.toLowerCase();
    while (char === ' ' || char === '\t') char = this.#next();
    const key = section === '' ? name : `${section}.${name}`;
    // A name without a value means true.
    if (char === '\n' || char === '') return { key, value: 'true' };
    if (char !== '=') throw REFUSED;
    return { key, value: this.#value() };
  }

  #value(): string {
    const parts: string[] = [];
    let quoted = false;
    for (let char = this.#next(); ; char = this.#next()) {
      if (char === '\n' || char === '') {
        if (quoted) throw REFUSED;
        return parts.join('').trim();
      }
      if (!quoted && (char === '#' || char === ';')) {
        this.#skipLine();
        return parts.join('').trim();
      }
      if (char === '"') quoted = !quoted;
      else if (char === '\\') parts.push(this.#escaped());
      else parts.push(char);
    }
  }

  #escaped(): string {
    const char = this.#next();
    if (char === '\n' || char === '') return '';
    if (char === '\\' || char === '"') return char;
    if (char === 't' || char === 'n' || char === 'b') return ' ';
    throw REFUSED;
  }
}
