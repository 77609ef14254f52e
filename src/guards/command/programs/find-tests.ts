import type { FileSearch, SearchTest } from '../file-search.ts';
import { type Field, isKnown } from '../words/field.ts';

/** Conditions that take a word and leave few files. */
const CLOSE = /^-(?:inum|samefile|links|lname|ilname|fstype)$/;
/** Conditions that take a word and may leave many. */
const LOOSE =
  /^-(?:newer\w*|anewer|cnewer|mtime|atime|ctime|mmin|amin|cmin|size|user|group|uid|gid|perm|used|context)$/;
const NAMED = /^-(i?)(name|path|wholename|regex)$/;
const TAKES_WORD = /^-(?:mindepth|printf|regextype|xtype|D|files0-from)$/;

interface Group {
  not: boolean;
  alternatives: SearchTest[][];
}

/** Takes in the conditions of `find`, word by word. */
export class FindTests {
  readonly #groups: Group[] = [{ not: false, alternatives: [[]] }];
  readonly #pruned: SearchTest[][] = [];
  readonly #names: string[] = [];
  #negated = false;
  #deepest: number | undefined;
  #kind: string | undefined;

  /** Reads one word; gives how many of the following ones belong to it. */
  read(text: string, next: Field | undefined, afterNext: Field | undefined): number {
    const value = next?.text ?? '';
    const named = NAMED.exec(text);
    if (named !== null) {
      this.#name(named[2] ?? '', named[1] !== '', value);
      return 1;
    }
    if (text === '!' || text === '-not') this.#negated = !this.#negated;
    else if (text === '(' || text === '\\(') this.#groups.push({ not: this.#takeNot(), alternatives: [[]] });
    else if (text === ')' || text === '\\)') this.#close();
    else if (/^(?:-or?|,)$/.test(text)) this.#alternatives().push([]);
    else if (text === '-prune') this.#prune(next?.text, afterNext?.text);
    else if (text === '-empty') this.#add({ type: 'limit', close: true, not: this.#takeNot() });
    else if (CLOSE.test(text) || LOOSE.test(text)) {
      this.#limit(text, value);
      return 1;
    } else if (text === '-type' || text === '-xtype') {
      const not = this.#takeNot();
      if (text === '-xtype') this.#add({ type: 'limit', close: value === 'l', not });
      else if (!not && this.#groups.length === 1 && this.#alternatives().length === 1) this.#kind = value[0];
      else if (!not && value === 'l') this.#add({ type: 'limit', close: true, not });
      return 1;
    } else if (text === '-maxdepth') {
      this.#deepest = /^\d{1,4}$/.test(value) ? Number(value) : undefined;
      return 1;
    } else if (TAKES_WORD.test(text)) return 1;
    return 0;
  }

  /** The names that it asks for, without those that it asks not to be. */
  names(): readonly string[] {
    return this.#names;
  }

  search(): Omit<FileSearch, 'folder' | 'given'> {
    while (this.#groups.length > 1) this.#close();
    return {
      alternatives: this.#alternatives(),
      pruned: this.#pruned,
      deepest: this.#deepest,
      hidden: true,
      kind: this.#kind,
    };
  }

  #name(on: string, anyCase: boolean, value: string): void {
    const not = this.#takeNot();
    const leftOut = not !== this.#groups.some((group) => group.not);
    if (!leftOut) this.#names.push(value);
    // A regular expression, or a name that is not known, may be any.
    if (on === 'regex' || !isKnown(value)) this.#add({ type: 'limit', close: true, not });
    else this.#add({ type: on === 'name' ? 'name' : 'path', pattern: value, anyCase, not });
  }

  #limit(text: string, value: string): void {
    const close = CLOSE.test(text) || (text === '-size' && /^0/.test(value));
    this.#add({ type: 'limit', close, not: this.#takeNot() });
  }

  /** `-path X -prune -o …`: what was asked for until then is left out. */
  #prune(next: string | undefined, afterNext: string | undefined): void {
    const goesOn = /^-or?$/.test(next ?? '') || (next === ')' && /^-or?$/.test(afterNext ?? ''));
    if (!goesOn) return;
    const tests = this.#alternatives().pop() ?? [];
    this.#pruned.push(tests);
    for (const name of namesIn([tests])) this.#names.splice(this.#names.indexOf(name), 1);
    this.#alternatives().push([]);
  }

  #add(test: SearchTest): void {
    this.#alternatives().at(-1)?.push(test);
  }

  #close(): void {
    const closed = this.#groups.length > 1 ? this.#groups.pop() : undefined;
    if (closed) this.#add({ type: 'group', ...closed });
  }

  #alternatives(): SearchTest[][] {
    return this.#groups.at(-1)?.alternatives ?? [];
  }

  #takeNot(): boolean {
    const negated = this.#negated;
    this.#negated = false;
    return negated;
  }
}

function namesIn(alternatives: readonly (readonly SearchTest[])[]): string[] {
  return alternatives.flat().flatMap((test) => {
    if (test.not) return [];
    if (test.type === 'group') return namesIn(test.alternatives);
    return test.type === 'limit' ? [] : [test.pattern];
  });
}
