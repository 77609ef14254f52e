import * as z from 'zod';
import { type Operation, type Refusal, refusal } from '../edit/operation.ts';
import type { KnowledgeSchema } from '../schema/knowledge-schema.ts';
import { parseOperation } from './parse-operation.ts';
import { MAX_OPERATIONS } from './update-schema.ts';

export interface ParsedRequest {
  ok: true;
  operations: Operation[];
  dryRun: boolean;
}

/** Only the shape: a model that is told "expected string" learns less than from what we say of each operation. */
const looseRequest = z.record(z.string(), z.unknown());

/** Reads a request by hand rather than by its schema, so that every refusal says how to call instead. */
export function parseRequest(request: unknown, schema: KnowledgeSchema): ParsedRequest | Refusal {
  const loose = looseRequest.safeParse(request);
  if (!loose.success) {
    return refusal('request.shape', 'The request is no object with parameters.', exampleCall());
  }
  const { operations, dry_run: dryRun, ...single } = loose.data;
  if (dryRun !== undefined && dryRun !== null && typeof dryRun !== 'boolean') {
    return refusal('request.shape', 'dry_run is neither true nor false.', 'Leave it out to change the file.');
  }
  const several = operations === null ? undefined : operations;
  const isSingle = Object.values(single).some(
    (value) => value !== undefined && value !== null && value !== '',
  );
  if (several !== undefined && isSingle) {
    const message = `There are operations and beside them ${Object.keys(single).join(', ')}.`;
    return refusal(
      'request.shape',
      message,
      'Put everything into operations, or make one call for one operation.',
    );
  }
  if (several !== undefined && (!Array.isArray(several) || several.length === 0)) {
    return refusal('request.shape', 'operations is no list of operations.', exampleCall());
  }
  const list: unknown[] = Array.isArray(several) ? several : [single];
  if (list.length > MAX_OPERATIONS) {
    const message = `${list.length} operations in one call; at most ${MAX_OPERATIONS} are made.`;
    return refusal('request.shape', message, 'Make several calls.');
  }
  const parsed: Operation[] = [];
  for (const [index, one] of list.entries()) {
    const operation = looseRequest.safeParse(one);
    const read = operation.success
      ? parseOperation(operation.data, schema)
      : refusal('request.shape', 'It is no object with parameters.', exampleCall());
    if (!read.ok) return list.length === 1 ? read : numbered(read, index, list.length);
    parsed.push(read.operation);
  }
  return { ok: true, operations: parsed, dryRun: dryRun === true };
}

/** Says which of several operations is meant. */
export function numbered(refused: Refusal, index: number, count: number): Refusal {
  if (count === 1) return refused;
  return { ...refused, message: `Operation ${index + 1} of ${count}: ${refused.message}` };
}

function exampleCall(): string {
  return 'For example: {"operation":"add_edge","from":"api-server","to":"user-store","relation":"uses"}.';
}
