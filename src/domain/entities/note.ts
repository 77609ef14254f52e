import * as z from 'zod';
import { defineEntity } from './entity-type.ts';

export const noteSchema = z.strictObject({
  title: z.string().min(1).max(200),
  text: z.string().default(''),
  tags: z.array(z.string().min(1)).default([]),
});

export type Note = z.infer<typeof noteSchema>;

/** A note that a person wrote, in one of the groups for experience. */
export const note = defineEntity<Note>({
  type: 'note',
  groups: ['architecture', 'failure_patterns', 'failed_approaches', 'successful_fixes', 'task_outcomes'],
  schema: noteSchema,
  name: (body) => body.title,
  text: (body) =>
    [`note ${body.title}`, body.text, body.tags.join(' ')].filter((line) => line !== '').join('\n'),
  indexed: ['tags'],
  freeText: ['title', 'text', 'tags'],
});
