import * as z from 'zod';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { describePendingGuards, guardJson, openGuardsInForce } from './open-guards.ts';

export const list = defineCommand({
  name: 'list',
  summary: 'List this project’s guards and their modes',
  schema: z.object({}),
  run: runList,
});

async function runList(context: CliContext): Promise<Report> {
  const open = await openGuardsInForce(context);
  const { guards, sources, faults, pending } = open;
  const shown = guards.map((guard) => guardJson(guard, open));
  const rows = shown.map((guard) => ({ ...guard, acts: howItActs(guard) }));
  const width = Math.max(0, ...rows.map(({ id }) => id.length));
  const actsWidth = Math.max(0, ...rows.map(({ acts }) => acts.length));
  return {
    json: { guards: shown, faults: sources.faults, pending },
    text: [
      plural(shown.length, 'guard'),
      ...rows.map(({ id, acts, file, summary, pattern }) => {
        const from = file ?? pattern;
        const row = `  ${id.padEnd(width)}  ${acts.padEnd(actsWidth)}  `;
        return row + oneLine(from === null ? summary : `${summary} [${from}]`, context.width - row.length);
      }),
    ].join('\n'),
    notices: [...faults, ...describePendingGuards(pending)],
  };
}

function howItActs({ mode, sessions, expired }: ReturnType<typeof guardJson>): string {
  return [mode, ...(sessions === 'driven' ? ['driven'] : []), ...(expired ? ['expired'] : [])].join(', ');
}
