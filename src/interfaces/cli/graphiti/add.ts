import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { prepareEpisode } from '../../../store/prepare-episode.ts';
import { defineCommand } from '../cli-command.ts';
import { requirePersonFor, resolveTargetGroup } from './groups.ts';

export const add = defineCommand({
  name: 'add',
  summary: 'write an entity, or a new version of it',
  arguments: [['<group>', 'a bare name means this project’s group, or the system’s where there is no other']],
  options: [
    ['--id <id>', 'the entity id'],
    ['--type <type>', 'the entity type'],
    ['--body <file>', 'a JSON file, or - for standard input'],
  ],
  changes: true,
  schema: z.object({
    group: z.string(),
    id: z.string('an id is needed'),
    type: z.string('an entity type is needed'),
    body: z.string('a file is needed, or - for standard input'),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { group, id, type, body, dryRun }) {
    const target = resolveTargetGroup(await context.workspace(), group);
    const text = body === '-' ? await context.readInput() : readBody(body);
    const store = await context.store();
    const input = {
      group: target,
      entity_type: type,
      entity_id: id,
      body: parseBody(text, body),
      source: 'person',
    };
    const { entityId } = prepareEpisode(input, store.entityTypes);
    await requirePersonFor(context, [target], 'write to');
    if (dryRun)
      return {
        json: { group: target, entity_id: entityId, dry_run: true },
        text: `would write ${entityId} to ${target}`,
      };
    const { action, uuid } = await store.upsert(input);
    return {
      json: { group: target, entity_id: entityId, action, uuid },
      text: `${action}: ${entityId} in ${target}`,
    };
  },
});

function readBody(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new GuardKitError({
      code: 'file.unreadable',
      kind: 'input',
      message: `${file} cannot be read: ${error instanceof Error ? error.message : error}`,
      hint: 'Give a JSON file, or - to read standard input.',
      cause: error,
    });
  }
}

function parseBody(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GuardKitError({
      code: 'json.malformed',
      kind: 'input',
      message: `${file === '-' ? 'Standard input' : file} is not JSON: ${error instanceof Error ? error.message : error}`,
      hint: 'Give one JSON object; nothing was written.',
      cause: error,
    });
  }
}
