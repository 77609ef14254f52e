import type { ParameterExpansionPart, Word } from 'unbash';
import type { Scope } from '../shell/scope.ts';
import { type Field, HOLE, isKnown } from './field.ts';
import { fitsPattern } from './fits-pattern.ts';

/** Matching a pattern at every position of a longer text would take too long. */
const MAX_PATTERNED = 256;

export interface ParameterContext {
  readonly scope: Scope;
  /** The text of a word without splitting. */
  text(word: Word): string;
  /** The value of a variable on the current branch. */
  choose(name: string): string;
}

/** The values of `$name`, `$1`, `$@` and the like. */
export function parameterFields(name: string, context: ParameterContext): readonly string[] {
  const { scope } = context;
  if (name === '@' || name === '*') return scope.positional === undefined ? [HOLE] : texts(scope.positional);
  if (/^\d+$/.test(name)) {
    if (name === '0') return ['bash'];
    if (scope.positional === undefined) return [HOLE];
    return [scope.positional[Number(name) - 1]?.text ?? ''];
  }
  // Any number works: it appears only in temporary names.
  if (name === '$') return ['4242'];
  // The last started job.
  if (name === '!') return ['%1'];
  if (name === '#') return [scope.positional === undefined ? HOLE : String(scope.positional.length)];
  if (!/^[A-Za-z_]\w*$/.test(name)) return [HOLE];
  const array = scope.arrays.get(name);
  return [array === undefined ? context.choose(name) : (array[0] ?? '')];
}

function texts(fields: readonly Field[]): string[] {
  return fields.map(({ text }) => text);
}

/** The values of `${…}`: several for `${a[@]}` and `${@}`, otherwise one. */
export function expandParameter(part: ParameterExpansionPart, context: ParameterContext): readonly string[] {
  const values = baseValues(part, context);
  const { operation } = part;
  if (part.prefix === '#') return [values.every(isKnown) ? String(lengthOf(part, values)) : HOLE];
  if (operation === undefined) return values;
  if (operation.type === 'Slice' && values.length > 1) return values;
  return values.map((value) => operate(value, operation, part, context));
}

function lengthOf(part: ParameterExpansionPart, values: readonly string[]): number {
  const counts = part.index?.value === '@' || part.index?.value === '*' || '@*'.includes(part.parameter);
  return counts ? values.length : (values[0] ?? '').length;
}

function baseValues(part: ParameterExpansionPart, context: ParameterContext): readonly string[] {
  const { scope } = context;
  const index = part.index?.value;
  let values: readonly string[];
  if (index === '@' || index === '*') {
    values = scope.arrays.get(part.parameter) ?? [context.choose(part.parameter)];
    if (part.prefix === '!') return values.map(() => HOLE);
  } else if (part.index !== undefined) {
    const array = scope.arrays.get(part.parameter);
    const at = context.text(part.index);
    if (array === undefined) values = [at === '0' ? context.choose(part.parameter) : HOLE];
    else values = [/^-?\d{1,6}$/.test(at) ? (array.at(Number(at)) ?? '') : HOLE];
  } else values = parameterFields(part.parameter, context);
  if (part.prefix !== '!') return values;
  if (part.operation?.type === 'Names') return [HOLE];
  return values.flatMap((name) => (isKnown(name) ? parameterFields(name, context) : [HOLE]));
}

type Operation = NonNullable<ParameterExpansionPart['operation']>;

function operate(
  value: string,
  operation: Operation,
  part: ParameterExpansionPart,
  context: ParameterContext,
): string {
  if (operation.type === 'Default') return withDefault(value, operation, part, context);
  if (!isKnown(value)) return HOLE;
  switch (operation.type) {
    case 'Remove':
      return removed(value, context.text(operation.operand), operation.operator);
    case 'Replace':
      return replaced(
        value,
        context.text(operation.pattern),
        context.text(operation.replacement),
        operation.operator,
      );
    case 'Slice':
      return sliced(
        value,
        context.text(operation.offset),
        operation.length === undefined ? undefined : context.text(operation.length),
      );
    case 'CaseModification':
      return recased(value, operation.operator);
    case 'Transform':
      return transformed(value, context.text(operation.operand));
    default:
      return HOLE;
  }
}

function withDefault(
  value: string,
  operation: Extract<Operation, { type: 'Default' }>,
  part: ParameterExpansionPart,
  context: ParameterContext,
): string {
  const other = context.text(operation.operand);
  const { operator } = operation;
  if (operator === '?' || operator === ':?') return value;
  // An unknown variable is probably unset, so use the default text.
  if (operator === '+' || operator === ':+') return value === '' ? '' : other;
  if (value !== '' && isKnown(value)) return value;
  if (value === '' && !operator.startsWith(':')) return value;
  if (operator.endsWith('=')) context.scope.set(part.parameter, [other]);
  return other;
}

function removed(value: string, pattern: string, operator: '#' | '##' | '%' | '%%'): string {
  if (!isKnown(pattern) || value.length > MAX_PATTERNED || pattern.length > MAX_PATTERNED) return HOLE;
  const lengths = [...Array(value.length + 1).keys()];
  if (operator.length === 2) lengths.reverse();
  for (const length of lengths) {
    const cut = operator.startsWith('#') ? value.slice(0, length) : value.slice(value.length - length);
    if (fitsPattern(cut, pattern))
      return operator.startsWith('#') ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

function replaced(value: string, pattern: string, replacement: string, operator: string): string {
  if (!isKnown(pattern) || value.length > MAX_PATTERNED || pattern.length > MAX_PATTERNED) return HOLE;
  if (pattern === '') return value;
  let made = '';
  for (let at = 0; at < value.length; ) {
    const anchored = operator === '/#' && at > 0;
    const length = anchored ? -1 : longestFit(value, at, pattern, operator === '/%');
    if (length <= 0) {
      made += value[at];
      at += 1;
      continue;
    }
    made += replacement;
    at += length;
    if (operator !== '//') return made + value.slice(at);
  }
  return made;
}

function longestFit(value: string, at: number, pattern: string, toEnd: boolean): number {
  if (!/[*?[]/.test(pattern)) {
    const fits = value.startsWith(pattern, at) && (!toEnd || at + pattern.length === value.length);
    return fits ? pattern.length : -1;
  }
  for (let end = value.length; end > at; end -= 1) {
    if (fitsPattern(value.slice(at, end), pattern)) return end - at;
    if (toEnd) return -1;
  }
  return -1;
}

function sliced(value: string, offset: string, length: string | undefined): string {
  const from = Number(offset.trim());
  const count = length === undefined ? undefined : Number(length.trim());
  if (!Number.isSafeInteger(from) || (count !== undefined && !Number.isSafeInteger(count))) return HOLE;
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  if (count === undefined) return value.slice(start);
  return value.slice(start, count < 0 ? value.length + count : start + count);
}

function recased(value: string, operator: '^' | '^^' | ',' | ',,'): string {
  const change = (text: string) => (operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase());
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}

function transformed(value: string, operator: string): string {
  if (operator === 'U') return value.toUpperCase();
  if (operator === 'L') return value.toLowerCase();
  if (operator === 'u') return recased(value, '^');
  return HOLE;
}
