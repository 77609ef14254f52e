import type { CliContext, Report } from '../cli-command.ts';
import { oneLine, plural } from '../printable.ts';
import { guardJson, openGuards } from './open-guards.ts';

export async function runList(context: CliContext): Promise<Report> {
  const open = await openGuards(context);
  const { guards, sources, faults } = open;
  const shown = guards.map((guard) => guardJson(guard, open));
  const width = Math.max(0, ...shown.map(({ id }) => id.length));
  return {
    json: { guards: shown, faults: sources.faults },
    text: [
      plural(shown.length, 'guard'),
      ...shown.map(({ id, mode, sessions, file, summary, pattern }) => {
        const where = sessions === 'driven' ? `${mode}, driven` : mode;
        const from = file ?? pattern;
        const row = `  ${id.padEnd(width)}  ${where.padEnd(15)}  `;
        return row + oneLine(from === null ? summary : `${summary} [${from}]`, context.width - row.length);
      }),
    ].join('\n'),
    notices: faults,
  };
}
