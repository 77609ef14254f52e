import * as z from 'zod';
import { defineEntity, entityRegistry } from '../../src/domain/entities/entity-type.ts';
import { ENTITY_TYPES } from '../../src/domain/entities/entity-types.ts';
import type { EpisodeInput } from '../../src/domain/entities/episode.ts';

const ticketSchema = z.strictObject({
  title: z.string().default('A ticket'),
  priority: z.number().nullable().default(null),
  urgent: z.boolean().default(false),
  labels: z.array(z.string()).default([]),
  parent: z.string().nullable().default(null),
  blocked_by: z.array(z.string()).default([]),
});

/** Has what GuardKit's own entities lack: a field of each kind, and relations that an update can change. */
export const ticketType = defineEntity<z.infer<typeof ticketSchema>>({
  type: 'ticket',
  groups: ['tickets', 'archive'],
  schema: ticketSchema,
  name: (body) => body.title,
  text: (body) => `ticket ${body.title} ${body.labels.join(' ')}`,
  indexed: ['parent', 'priority', 'urgent', 'labels'],
  freeText: ['title'],
  relations: (body) => [
    ...(body.parent === null ? [] : [{ relation: 'child_of', to: body.parent }]),
    ...body.blocked_by.map((to) => ({ relation: 'blocked_by', to })),
  ],
});

export const TYPES_WITH_TICKET = entityRegistry([...ENTITY_TYPES, ticketType]);

export const TICKETS = 'demo__tickets';

export function ticket(
  entity_id: string,
  body: Partial<z.infer<typeof ticketSchema>> = {},
  changes: Partial<EpisodeInput> = {},
): EpisodeInput {
  return { group: TICKETS, entity_type: 'ticket', entity_id, body, ...changes };
}
