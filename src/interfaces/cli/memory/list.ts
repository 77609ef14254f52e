import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { Filter } from '../../../store/episode-store.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { oneLine, plural } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';
import { resolveGroups } from './groups.ts';

export const list = defineCommand({
  name: 'list',
  summary: 'List the episodes of a group, newest first',
  arguments: [['<group>', 'Group; a bare name covers the system and this project']],
  options: [
    ['--where <field=value>', 'Only episodes whose indexed field has this value', 'repeatable'],
    ['--limit <n>', 'Show at most N episodes (default: 100)'],
  ],
  schema: z.object({
    group: z.string(),
    where: z.array(z.string()).default([]),
    limit: wholeNumber(100_000, 100),
  }),
  async run(context, { group, where, limit }) {
    const groups = resolveGroups(await context.workspace(), group);
    const filters = where.map(parseWhere);
    const store = await context.store();
    // One extra, to detect that there are more.
    const options = { where: filters, limit: limit + 1 };
    const lists = await Promise.all(groups.map((name) => store.list(name, options)));
    const found = lists.flat().sort((a, b) => b.created_at.localeCompare(a.created_at));
    const episodes = found.slice(0, limit);
    const condition = where.length > 0 ? ` where ${where.join(' and ')}` : '';
    return {
      json: { group, episodes },
      text: [
        `${plural(episodes.length, 'episode')} in ${groups.join(' and ')}${condition}`,
        ...episodes.map(
          (one) => `  ${oneLine(`${one.entity_id}: ${one.name} (since ${one.valid_at})`, context.width - 2)}`,
        ),
        ...(found.length > limit ? ['There are more; raise --limit.'] : []),
      ].join('\n'),
    };
  },
});

function parseWhere(text: string): Filter {
  const at = text.indexOf('=');
  if (at > 0)
    return { field: text.slice(0, at).trim(), op: 'in', value: readings(text.slice(at + 1).trim()) };
  throw new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `--where ${text.slice(0, 60)}: expected FIELD=VALUE.`,
    hint: 'For example --where task_id=TASK-001.',
  });
}

/** On a command line, 2 may be a number or a text: every stored type matches. */
function readings(text: string): (string | number | boolean)[] {
  const number = Number(text);
  return [
    text,
    ...(text !== '' && Number.isFinite(number) ? [number] : []),
    ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
  ];
}
