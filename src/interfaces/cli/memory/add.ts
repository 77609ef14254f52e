import * as z from 'zod';
import { PERSON_SOURCE, PROGRAM_SOURCE } from '../../../domain/entities/episode.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { UpsertAction } from '../../../store/episode-store.ts';
import { prepareEpisode } from '../../../store/prepare-episode.ts';
import { inputName, readText } from '../input/read-text.ts';
import { defineCommand } from '../program/cli-command.ts';
import { assertMayChange, confirmChange, resolveTargetGroup } from './groups.ts';
import { describeReplaced } from './recorded-episodes.ts';

/** Far more than a body may have, because JSON may contain much white space. */
const MAX_BYTES = 32_000_000;

const WOULD = {
  created: 'create',
  updated: 'update',
  unchanged: 'leave unchanged',
} as const satisfies Record<UpsertAction, string>;

export const add = defineCommand({
  name: 'add',
  summary: 'Write an entity or a new version of it',
  arguments: [['<group>', 'Group; a bare name means this project’s if it has one']],
  options: [
    ['--id <id>', 'Entity id (required)'],
    ['--type <type>', 'Entity type (required)'],
    ['--body <file>', 'JSON file, or - for standard input (required)'],
  ],
  changes: true,
  schema: z.object({
    group: z.string(),
    id: z.string('required: an entity id'),
    type: z.string('required: an entity type'),
    body: z.string('required: a JSON file, or - for standard input'),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { group, id, type, body: file, dryRun }) {
    const target = resolveTargetGroup(await context.workspace(), group);
    assertMayChange(context, [target], 'write to');
    const body = parseBody(
      await readText(context, file, {
        maxBytes: MAX_BYTES,
        hint: 'Use a JSON file, or - for standard input.',
      }),
      inputName(file),
    );
    const store = await context.store();
    const source = context.findPerson().present ? PERSON_SOURCE : PROGRAM_SOURCE;
    const input = { group: target, entity_type: type, entity_id: id, body, source };
    const { entityId, contentHash } = prepareEpisode(input, store.entityTypes);
    if (dryRun) {
      const current = await store.get(target, entityId);
      const changed = current?.content_hash === contentHash ? 'unchanged' : 'updated';
      const action = current ? changed : 'created';
      return {
        json: { group: target, entity_id: entityId, action, dry_run: true },
        text: `would ${WOULD[action]} ${entityId} in ${target}`,
      };
    }
    const replaced = await describeReplaced(store, [{ group: target, entity_id: entityId }]);
    await confirmChange(context, [target], 'write to', [replaced]);
    const { action, uuid } = await store.upsert(input);
    return {
      json: { group: target, entity_id: entityId, action, uuid },
      text: `${action}: ${entityId} in ${target}`,
    };
  },
});

function parseBody(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GuardKitError({
      code: 'json.malformed',
      kind: 'input',
      message: text.trim() === '' ? `${name} is empty.` : `${name} is not JSON: ${firstLine(error)}`,
      hint: 'Use one JSON object; nothing written.',
      cause: error,
    });
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
