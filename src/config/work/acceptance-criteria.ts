import {
  MAX_CRITERIA,
  MAX_CRITERION_TEXT,
  splitCriterionId,
  type WrittenCriterion,
} from '../../domain/criteria/criterion.ts';
import {
  closesFence,
  type Fence,
  type MarkdownLine,
  openedFence,
  readMarkdownLine,
} from './markdown-blocks.ts';

export interface TextFault {
  line: number;
  code: string;
  message: string;
  hint: string;
}

export interface CriteriaSection {
  /** The line of its heading; undefined if there is no such section. */
  line: number | undefined;
  criteria: WrittenCriterion[];
  faults: TextFault[];
}

/** Bullets indented further than this belong to the one above. */
const NESTED = 2;

/** Per section; more would not help. */
const MAX_FAULTS = 50;

interface OpenCriterion {
  line: number;
  indent: number;
  text: string;
  detail: string[];
  /** Whether the first line of detail is plain text, which may be the criterion's only text. */
  continued: boolean;
}

/** Reads the `## Acceptance Criteria` section: its top-level bullets with their details. */
export function readAcceptanceCriteria(body: readonly string[], firstLine: number): CriteriaSection {
  const reader = new SectionReader();
  body.forEach((line, index) => {
    reader.read(line, firstLine + index);
  });
  return reader.end();
}

class SectionReader {
  readonly #criteria: WrittenCriterion[] = [];
  readonly #faults: TextFault[] = [];
  #found: number | undefined;
  /** Heading level of the current section. */
  #level: number | undefined;
  #open: OpenCriterion | undefined;
  /** A code fence or comment, in which nothing is a bullet or heading. */
  #hidden: { line: number; fence: Fence | undefined; matters: boolean } | undefined;
  #before: 'blank' | 'paragraph' | 'list' = 'blank';

  read(line: string, number: number): void {
    if (this.#hidden) {
      this.#readHidden(line, this.#hidden.fence);
      return;
    }
    const text = line.trim();
    if (text.startsWith('<!--')) {
      if (!text.includes('-->')) this.#hide(number, undefined);
      return;
    }
    const block = readMarkdownLine(line);
    const fence = block.type === 'text' ? openedFence(block.text, block.indent) : undefined;
    if (fence) this.#hide(number, fence);
    if (block.type === 'heading') this.#readHeading(block.level, block.title, number);
    else if (this.#level !== undefined) this.#readInside(block, number, fence !== undefined);
  }

  end(): CriteriaSection {
    this.#finish();
    if (this.#hidden?.matters) {
      const what = this.#hidden.fence ? 'code fence' : 'comment';
      this.#fault(this.#hidden.line, 'unclosed', `this ${what} is not closed and hides the rest`, 'close it');
    }
    if (this.#criteria.length > MAX_CRITERIA) {
      const line = this.#criteria[MAX_CRITERIA]?.line ?? 1;
      this.#fault(line, 'too-many-criteria', `more than ${MAX_CRITERIA} criteria`, 'split this task');
    }
    return { line: this.#found, criteria: this.#criteria.slice(0, MAX_CRITERIA), faults: this.#faults };
  }

  #readHidden(line: string, fence: Fence | undefined): void {
    if (fence) this.#addDetail(line.trimEnd(), 0);
    if (fence ? closesFence(line, fence) : line.includes('-->')) this.#hidden = undefined;
  }

  #hide(line: number, fence: Fence | undefined): void {
    this.#hidden = { line, fence, matters: this.#level !== undefined || this.#found === undefined };
  }

  #readHeading(level: number, title: string, line: number): void {
    this.#finish();
    this.#before = 'blank';
    if (this.#level !== undefined && level <= this.#level) this.#level = undefined;
    if (title.toLowerCase() !== 'acceptance criteria') return;
    if (this.#found === undefined) {
      this.#found = line;
      this.#level = level;
      return;
    }
    this.#fault(
      line,
      'second-section',
      `a second section of acceptance criteria; the first is on line ${this.#found}`,
      'merge the sections',
    );
  }

  #readInside(block: Exclude<MarkdownLine, { type: 'heading' }>, line: number, isFence: boolean): void {
    switch (block.type) {
      case 'blank':
        this.#before = 'blank';
        break;
      case 'rule':
        if (this.#before === 'paragraph' && block.level && block.level <= (this.#level ?? 0))
          this.#level = undefined;
        this.#finish();
        this.#before = 'blank';
        break;
      case 'bullet':
        if (this.#open && block.indent >= this.#open.indent + NESTED)
          this.#addDetail(`- ${block.text}`, block.indent);
        else this.#begin(block.text, block.indent, line);
        this.#before = 'list';
        break;
      case 'text':
        this.#readText(block.text, block.indent, isFence);
    }
  }

  /** A line directly under a bullet continues it at any indentation; after an empty line it must be indented. */
  #readText(text: string, indent: number, isFence: boolean): void {
    if (this.#open && (this.#before === 'list' || indent >= this.#open.indent + NESTED)) {
      if (this.#open.detail.length === 0 && !isFence) this.#open.continued = true;
      this.#addDetail(text, indent);
      this.#before = 'list';
      return;
    }
    this.#finish();
    this.#before = 'paragraph';
  }

  #begin(written: string, indent: number, line: number): void {
    this.#finish();
    const text = written.replace(/^\[[ xX]\](?=[ \t]|$)/, '').trim();
    const fence = openedFence(text, indent);
    this.#open = { line, indent, text: fence ? '' : text, detail: fence ? [text] : [], continued: false };
    if (fence) this.#hide(line, fence);
  }

  #addDetail(text: string, indent: number): void {
    if (!this.#open) return;
    const depth = Math.max(0, indent - this.#open.indent - NESTED);
    this.#open.detail.push(' '.repeat(Math.min(depth, 80)) + text);
  }

  #finish(): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open || this.#criteria.length > MAX_CRITERIA) return;
    const { id, text: said } = splitCriterionId(open.text);
    const text = said === '' && open.continued ? (open.detail.shift()?.trim() ?? '') : said;
    if (text === '') {
      this.#fault(
        open.line,
        'empty-criterion',
        'this criterion has no text',
        'write the criterion, or remove the bullet',
      );
      return;
    }
    if (text.length > MAX_CRITERION_TEXT) {
      this.#fault(
        open.line,
        'criterion-too-long',
        `this criterion is longer than ${MAX_CRITERION_TEXT} characters`,
        'shorten it to a sentence, and put the rest below it',
      );
    }
    this.#criteria.push({
      ...(id === undefined ? {} : { id }),
      text: text.slice(0, MAX_CRITERION_TEXT),
      detail: open.detail.join('\n'),
      line: open.line,
    });
  }

  #fault(line: number, code: string, message: string, hint: string): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push({ line, code, message, hint });
  }
}
