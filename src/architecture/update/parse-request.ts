import * as z from 'zod';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { type Operation, type OperationName, type Refusal, refusal } from '../edit/operation.ts';
import {
  isKebabCase,
  type KnowledgeSchema,
  legalValues,
  NODE_FIELDS,
  nearestValue,
  REQUIRED_FIELDS,
  toKebabCase,
} from '../schema/knowledge-schema.ts';
import { MAX_OPERATIONS, OPERATIONS, OPTIONAL_FIELDS } from './update-schema.ts';

export interface ParsedRequest {
  ok: true;
  operations: Operation[];
  dryRun: boolean;
}

/** Checks only the shape: our own messages about each operation help a model more than "expected string". */
const looseRequest = z.record(z.string(), z.unknown());

/** Parses a request by hand instead of by its schema, so that every refusal explains the right call. */
export function parseRequest(request: unknown, schema: KnowledgeSchema): ParsedRequest | Refusal {
  const loose = looseRequest.safeParse(request);
  if (!loose.success) {
    return refusal('request.shape', 'The request is not an object with parameters.', exampleCall());
  }
  const { operations, dry_run: dryRun, ...single } = loose.data;
  if (dryRun !== undefined && dryRun !== null && typeof dryRun !== 'boolean') {
    return refusal('request.shape', 'dry_run must be true or false.', 'Omit it to change the file.');
  }
  const several = operations === null ? undefined : operations;
  const isSingle = Object.values(single).some(
    (value) => value !== undefined && value !== null && value !== '',
  );
  if (several !== undefined && isSingle) {
    const message = `The request has both operations and ${Object.keys(single).join(', ')}.`;
    return refusal(
      'request.shape',
      message,
      'Put everything in `operations`, or request a single operation.',
    );
  }
  if (several !== undefined && (!Array.isArray(several) || several.length === 0)) {
    return refusal('request.shape', '`operations` must be a non-empty list.', exampleCall());
  }
  const list: unknown[] = Array.isArray(several) ? several : [single];
  if (list.length > MAX_OPERATIONS) {
    const message = `The request has ${list.length} operations; the limit is ${MAX_OPERATIONS}.`;
    return refusal('request.shape', message, 'Split them into several calls.');
  }
  const parsed: Operation[] = [];
  for (const [index, one] of list.entries()) {
    const operation = looseRequest.safeParse(one);
    const read = operation.success
      ? parseOperation(operation.data, schema)
      : refusal('request.shape', 'It is not an object with parameters.', exampleCall());
    if (!read.ok) return list.length === 1 ? read : numbered(read, index, list.length);
    parsed.push(read.operation);
  }
  return { ok: true, operations: parsed, dryRun: dryRun === true };
}

/** Adds which of several operations was refused. */
export function numbered(refused: Refusal, index: number, count: number): Refusal {
  if (count === 1) return refused;
  return { ...refused, message: `Operation ${index + 1} of ${count}: ${refused.message}` };
}

function exampleCall(): string {
  return 'For example: {"operation":"add_edge","from":"api-server","to":"user-store","relation":"uses"}.';
}

const PARAMETERS: Record<OperationName, { needed: readonly string[]; also: readonly string[] }> = {
  add_node: { needed: ['name', ...REQUIRED_FIELDS], also: OPTIONAL_FIELDS },
  update_node: { needed: ['name'], also: [...NODE_FIELDS, 'unset'] },
  remove_node: { needed: ['name'], also: [] },
  rename_node: { needed: ['name', 'new_name'], also: [] },
  add_edge: { needed: ['from', 'to', 'relation'], also: ['note'] },
  remove_edge: { needed: ['from', 'to'], also: ['relation'] },
};

/** Other tools' names for our parameters. */
const OTHER_NAMES = new Map([
  ['id', 'name'],
  ['node', 'name'],
  ['node_id', 'name'],
  ['source', 'from'],
  ['target', 'to'],
  ['label', 'description'],
  ['desc', 'description'],
  ['summary', 'description'],
  ['tags', 'tag'],
  ['file', 'path'],
  ['kind', 'type'],
  ['state', 'status'],
  ['newname', 'new_name'],
  ['new_id', 'new_name'],
]);

const MAX_TEXT = 20_000;

/** Parses one operation; a refusal lists all its faults at once. */
function parseOperation(
  given: Readonly<Record<string, unknown>>,
  schema: KnowledgeSchema,
): { ok: true; operation: Operation } | Refusal {
  const operation = OPERATIONS.find((name) => name === given.operation);
  if (operation === undefined) return unknownOperation(given.operation);
  const { needed, also } = PARAMETERS[operation];
  const known = [...needed, ...also];
  const faults: string[] = [];
  const texts = new Map<string, string>();
  const invalid = new Set<string>();
  // Models fill in every parameter, so an empty value counts as absent.
  for (const [name, value] of Object.entries(given)) {
    if (name === 'operation' || value === undefined || value === null || value === '') continue;
    if (name === 'unset' && Array.isArray(value) && (known.includes('unset') || value.length === 0)) continue;
    if (!known.includes(name)) faults.push(unknownParameter(operation, name, known));
    else {
      const text = typeof value === 'string' ? value : undefined;
      const fault =
        text === undefined
          ? `${name} must be text`
          : (textFault(name, text) ?? valueFault(schema, name, text));
      if (text !== undefined && fault === undefined) texts.set(name, text);
      if (fault === undefined) continue;
      faults.push(fault);
      invalid.add(name);
    }
  }
  for (const name of needed) {
    if (!texts.has(name) && !invalid.has(name)) {
      faults.push(missing(schema, name));
    }
  }
  if (operation === 'add_node' && texts.get('type') === 'rule' && !texts.has('priority') && !given.priority) {
    faults.push(`a rule needs a priority: one of ${schema.priorities.join(', ')}`);
  }
  const fresh = operation === 'add_node' ? 'name' : operation === 'rename_node' ? 'new_name' : undefined;
  const id = fresh === undefined ? undefined : texts.get(fresh);
  if (id !== undefined && !isKebabCase(id)) {
    faults.push(`${fresh} "${id.slice(0, 100)}" is not kebab-case; ${suggestId(id)}`);
  }
  const unset = parseUnset(given.unset, texts, faults);
  if (operation === 'update_node' && faults.length === 0 && texts.size === 1 && unset.length === 0) {
    faults.push(`nothing to update: give one or more of ${NODE_FIELDS.join(', ')}, or unset`);
  }
  if (faults.length > 0) return refuse(operation, faults);
  return { ok: true, operation: build(operation, texts, unset) };
}

function build(operation: OperationName, texts: ReadonlyMap<string, string>, unset: string[]): Operation {
  const get = (name: string) => texts.get(name) ?? '';
  const name = get('name');
  const fields = pick(texts, NODE_FIELDS);
  const ends = { from: get('from'), to: get('to') };
  switch (operation) {
    case 'add_node':
      return { operation, name, fields };
    case 'update_node':
      return { operation, name, fields, unset };
    case 'remove_node':
      return { operation, name };
    case 'rename_node':
      return { operation, name, newName: get('new_name') };
    case 'add_edge':
      return { operation, ...ends, fields: pick(texts, ['relation', 'note']) };
    case 'remove_edge':
      return { operation, ...ends, relation: texts.get('relation') };
  }
}

function pick(texts: ReadonlyMap<string, string>, names: readonly string[]): Map<string, string> {
  return new Map(names.flatMap((name) => (texts.has(name) ? [[name, texts.get(name) ?? ''] as const] : [])));
}

function parseUnset(given: unknown, texts: ReadonlyMap<string, string>, faults: string[]): string[] {
  if (!Array.isArray(given)) return [];
  for (const field of given) {
    if (OPTIONAL_FIELDS.some((one) => one === field)) {
      if (texts.has(field)) faults.push(`${field} is both set and unset`);
    } else {
      faults.push(`${JSON.stringify(field)} cannot be unset; optional fields: ${OPTIONAL_FIELDS.join(', ')}`);
    }
  }
  return [...new Set(given.filter((field) => typeof field === 'string'))];
}

function unknownParameter(operation: OperationName, name: string, known: readonly string[]): string {
  const meant = OTHER_NAMES.get(name.toLowerCase()) ?? nearestWord(name, known);
  const hint = meant !== undefined && known.includes(meant) ? didYouMean(meant, '(') : '';
  return `${operation} has no parameter ${name.slice(0, 60)}${hint}`;
}

function missing(schema: KnowledgeSchema, name: string): string {
  const legal = legalValues(schema, name);
  return `${name} is missing${legal ? `: use one of ${legal.join(', ')}` : ''}`;
}

/** Rejects texts that would not survive a round trip through the file. */
function textFault(name: string, value: string): string | undefined {
  if (value.length > MAX_TEXT) return `${name} has ${value.length} characters; the limit is ${MAX_TEXT}`;
  if (!value.isWellFormed()) return `${name} contains half a surrogate pair`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: rejects control characters
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value))
    return `${name} contains a control character`;
  return undefined;
}

function valueFault(schema: KnowledgeSchema, name: string, value: string): string | undefined {
  const legal = legalValues(schema, name);
  if (!legal || legal.includes(value)) return undefined;
  const nearest = nearestValue(schema, name, value);
  const meant = didYouMean(nearest, '(');
  return `${name} "${value.slice(0, 60)}" is not one of ${legal.join(', ')}${meant}`;
}

function suggestId(id: string): string {
  const kebab = toKebabCase(id);
  return kebab === '' ? 'write it like api-server' : `write it like ${kebab}`;
}

function refuse(operation: OperationName, faults: readonly string[]): Refusal {
  const { needed, also } = PARAMETERS[operation];
  const optional = also.length > 0 ? `; optional: ${also.join(', ')}` : '';
  return refusal(
    'request.parameters',
    `${operation} was refused: ${faults.slice(0, 20).join('; ')}`.replace(/[^?]$/, '$&.'),
    `${operation} needs ${needed.join(', ')}${optional}.`,
  );
}

function unknownOperation(found: unknown): Refusal {
  const nearest = typeof found === 'string' ? nearestWord(found, OPERATIONS) : undefined;
  const meant = didYouMean(nearest);
  const message =
    found === undefined || found === ''
      ? 'No operation given.'
      : `Unknown operation ${JSON.stringify(found)?.slice(0, 80)}.`;
  return refusal('request.operation', message, `Use one of ${OPERATIONS.join(', ')}.${meant}`);
}
