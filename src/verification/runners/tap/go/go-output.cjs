'use strict';
// Parses the events of `go test -json`: for the record, and for a person who did not ask for events.
const MOST_OUTPUT = 64 * 1024;
const MOST_ERRORS = 256 * 1024;

class GoOutput {
  #raw;
  #verbose;
  #kept = ['{"Action":"start"}'];
  #sizes = new Map();
  #errors = 0;
  /** Output lines of each unfinished package, with their tests. */
  #open = new Map();

  constructor({ raw, verbose }) {
    this.#raw = raw;
    this.#verbose = verbose;
  }

  /** Returns the text to print. */
  read(line) {
    const event = parse(line);
    if (event === undefined) {
      this.#kept.push(line);
      return `${line}\n`;
    }
    this.#keep(event);
    if (this.#raw) return `${line}\n`;
    if (event.Action === 'build-output') return event.Output ?? '';
    if (this.#verbose) return event.Action === 'output' ? (event.Output ?? '') : '';
    return this.#brief(event);
  }

  /** The compiler's output, which names the files that do not compile. */
  readError(line) {
    this.#errors += line.length;
    if (this.#errors < MOST_ERRORS) this.#kept.push(line.startsWith('{') ? ` ${line}` : line);
  }

  report() {
    return this.#kept.join('\n');
  }

  #keep({ Action, Package, ImportPath, Test, Output }) {
    if (Action === 'output') {
      const key = `${Package}\0${Test ?? ''}`;
      const size = (this.#sizes.get(key) ?? 0) + (Output?.length ?? 0);
      this.#sizes.set(key, size);
      if (size > MOST_OUTPUT && !/--- |=== |^panic: |^FAIL|^ok /.test(Output ?? '')) return;
    }
    this.#kept.push(JSON.stringify({ Action, Package, ImportPath, Test, Output }));
  }

  /** Like without -v: one line for a passing package, the failures of others. */
  #brief({ Action, Package, Test, Output }) {
    if (Package === undefined) return '';
    const found = this.#open.get(Package) ?? { lines: [], over: new Set() };
    this.#open.set(Package, found);
    if (Action === 'output') found.lines.push({ test: Test, text: Output ?? '' });
    else if (Test !== undefined && (Action === 'pass' || Action === 'skip')) found.over.add(Test);
    else if (Test === undefined && ['pass', 'fail', 'skip'].includes(Action)) {
      this.#open.delete(Package);
      const last = found.lines.findLast(({ test, text }) => test === undefined && text.trim() !== '');
      if (Action !== 'fail') return last?.text ?? '';
      return found.lines
        .filter(({ test, text }) => !found.over.has(test) && !text.startsWith('=== '))
        .map(({ text }) => text)
        .join('');
    }
    return '';
  }
}

function parse(line) {
  if (!line.startsWith('{')) return undefined;
  try {
    const event = JSON.parse(line);
    return typeof event?.Action === 'string' ? event : undefined;
  } catch {
    // Safe: a line that is not an event is text and printed unchanged.
    return undefined;
  }
}

module.exports = { GoOutput };
