import type { JsonObject, JsonValue } from '../json/json.ts';
import { literalFinder } from './literal-finder.ts';
import { isSecretValue } from './looks-secret.ts';
import { kindOfNamed, scrubNamedSecrets } from './scrub-named-secrets.ts';
import { scrubPrivateKeys } from './scrub-private-keys.ts';
import { secretMarker, withoutMarkers } from './secret-marker.ts';
import { NAME_STEMS, secretNamed } from './secret-name.ts';
import { SECRET_PATTERNS, scrubCookies } from './secret-patterns.ts';
import type { SecretPattern } from './secret-tokens.ts';

/** A marker can expose another secret, as in `AKIA…sk-…`; text that needs more rounds is hostile. */
const MAX_ROUNDS = 4;
const CONTEXT = 300;
/** `a://:b@` is the shortest text with a secret. */
const SHORTEST = 7;
/**
 * Regular expressions overflow the stack on runs of some millions of characters. Longer text is split, which may miss a
 * secret at a split; bodies that large are not stored.
 */
const LONGEST = 1_200_000;

type Opened =
  | { type: 'array'; from: JsonValue[]; to: JsonValue[]; name: string | undefined }
  | { type: 'object'; from: JsonObject; to: JsonObject; name: string | undefined };

/**
 * Replaces credentials with `[scrubbed:kind]`, in a text or in every string of a JSON value. Returns the same value if there
 * are none, otherwise a copy.
 */
export function scrubSecrets<Value extends JsonValue>(value: Value): Value;
export function scrubSecrets(value: JsonValue): JsonValue {
  if (typeof value === 'string') return scrubText(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value) && value.every(isCleanItem)) return value;
  // A loop, because a body of 1 MB can be nested deeper than the stack allows.
  const opened: Opened[] = [];
  let changed = false;
  const copy: Copy = (item, name) => {
    if (typeof item === 'string') {
      const scrubbed = scrubString(item, name);
      if (scrubbed !== item) changed = true;
      return scrubbed;
    }
    if (item === null || typeof item !== 'object') return item;
    const next: Opened = Array.isArray(item)
      ? { type: 'array', from: item, to: [], name }
      : { type: 'object', from: item, to: {}, name };
    opened.push(next);
    return next.to;
  };
  const result = copy(value, undefined);
  for (let next = opened.pop(); next; next = opened.pop()) {
    if (next.type === 'array') copyItems(next.from, next.to, next.name, copy);
    else if (copyFields(next.from, next.to, next.name, copy)) changed = true;
  }
  return changed ? result : value;
}

/** Fast path: most lists contain a few clean texts. A flag affects the text after it, so it is excluded. */
function isCleanItem(item: JsonValue): boolean {
  return typeof item === 'string' && !item.startsWith('-') && scrubText(item) === item;
}

/** Copies a named value; arrays and objects are filled in later. */
type Copy = (item: JsonValue, name: string | undefined) => JsonValue;

function copyItems(from: JsonValue[], to: JsonValue[], name: string | undefined, copy: Copy): void {
  for (const item of from) {
    // Arguments of a command: ['--password', '…'].
    const previous = to.at(-1);
    const isFlag = typeof previous === 'string' && /^--?[a-z][\w-]{0,60}$/i.test(previous);
    to.push(copy(item, isFlag ? previous : name));
  }
}

/** Returns whether a key was a secret. */
function copyFields(from: JsonObject, to: JsonObject, name: string | undefined, copy: Copy): boolean {
  // Variables as Kubernetes and Docker list them: {"name": "DB_PASSWORD", "value": "…"}.
  const listed = [from.name, from.Name, from.key, from.Key].find((item) => typeof item === 'string');
  const variable = listed === undefined ? name : plainName(listed);
  const scrubbedKeys = new Map<string, number>();
  for (const [key, item] of Object.entries(from)) {
    const isValue = variable !== undefined && key.toLowerCase() === 'value';
    // Defined, not assigned: an assigned __proto__ would become the prototype.
    Object.defineProperty(to, scrubKey(key, from, scrubbedKeys), {
      value: copy(item, isValue ? variable : plainName(key)),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  return scrubbedKeys.size > 0;
}

/** Reads the name as it will be stored, so that a second run gives the same result. */
function plainName(name: string): string {
  return withoutMarkers(scrubText(name));
}

/** Secret keys become the same marker; numbering keeps all their values. */
function scrubKey(key: string, fields: object, scrubbedKeys: Map<string, number>): string {
  const scrubbed = scrubText(key);
  if (scrubbed === key) return key;
  let count = scrubbedKeys.get(scrubbed) ?? 0;
  let unused: string;
  do {
    count += 1;
    unused = count === 1 ? scrubbed : `${scrubbed} (${count})`;
  } while (Object.hasOwn(fields, unused));
  scrubbedKeys.set(scrubbed, count);
  return unused;
}

function scrubString(text: string, name: string | undefined): string {
  const scrubbed = scrubText(text);
  if (name === undefined) return scrubbed;
  if (/^(?:set-)?cookie$/i.test(name)) return scrubCookies(scrubbed);
  const named = secretNamed(name);
  return named && isSecretValue(named, 'quoted', scrubbed) ? secretMarker(kindOfNamed(named)) : scrubbed;
}

function scrubText(text: string): string {
  if (text.length < SHORTEST) return text;
  if (text.length <= LONGEST) return scrubPiece(text);
  let result = '';
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(text.length, start + LONGEST);
    const lineBreak = text.lastIndexOf('\n', end - 1);
    if (end < text.length && lineBreak > end - LONGEST / 10) end = lineBreak + 1;
    result += scrubPiece(text.slice(start, end));
  }
  return result;
}

function scrubPiece(text: string): string {
  let result = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const scrubbed = scrubOnce(result);
    if (scrubbed === result) break;
    result = scrubbed;
  }
  return result;
}

function scrubOnce(text: string): string {
  let result = scrubPrivateKeys(text);
  const { patterns, hasNames } = worthTrying(result);
  for (const pattern of patterns) result = scrubPattern(pattern, result);
  return hasNames ? scrubNamedSecrets(result) : result;
}

const findHints = literalFinder([...SECRET_PATTERNS.flatMap(({ hints }) => hints), ...NAME_STEMS]);

let patternsOf: ReadonlyMap<string, readonly number[]> | undefined;

/** Indexes of each hint's patterns. */
function placePatterns(): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [position, { hints }] of SECRET_PATTERNS.entries()) {
    for (const hint of hints) places.set(hint, [...(places.get(hint) ?? []), position]);
  }
  return places;
}

const NOTHING_TO_TRY = { patterns: [], hasNames: false };

/** Skips the patterns whose hints are not in the text, so that clean text is cheap. */
export function worthTrying(text: string): { patterns: readonly SecretPattern[]; hasNames: boolean } {
  const found = findHints(text);
  if (found.size === 0) return NOTHING_TO_TRY;
  patternsOf ??= placePatterns();
  const positions = new Set<number>();
  for (const hint of found) {
    for (const position of patternsOf.get(hint) ?? []) positions.add(position);
  }
  return {
    // In list order: each pattern reads the output of the one before.
    patterns: [...positions].sort((a, b) => a - b).flatMap((position) => SECRET_PATTERNS[position] ?? []),
    hasNames: NAME_STEMS.some((stem) => found.has(stem)),
  };
}

function scrubPattern({ kind, pattern, accepts, rewrite }: SecretPattern, text: string): string {
  let result = '';
  let done = 0;
  /** The end of the result. Text before a match is read scrubbed, so that a second run gives the same result. */
  let tail = '';
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const start = match.index + (match.groups?.keep?.length ?? 0);
    const end = pattern.lastIndex;
    const secret = text.slice(start, end);
    if (accepts) {
      const before = (tail + text.slice(Math.max(done, match.index - CONTEXT), match.index)).slice(-CONTEXT);
      if (!accepts(secret, before)) {
        // Refused text may contain a secret further on.
        pattern.lastIndex = Math.max(start, match.index + 1);
        continue;
      }
    }
    const piece = text.slice(done, start) + (rewrite ? rewrite(secret) : secretMarker(kind));
    result += piece;
    tail = (tail + piece.slice(-CONTEXT)).slice(-CONTEXT);
    done = end;
  }
  return done === 0 ? text : result + text.slice(done);
}
