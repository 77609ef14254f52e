import * as z from 'zod';
import { openKnowledge, requireGraph } from '../../../architecture/file/open-knowledge.ts';
import { fixGraph } from '../../../architecture/fix/fix-graph.ts';
import { describeFaults } from '../../../architecture/update/knowledge-update.ts';
import { unifiedDiff } from '../../../architecture/update/unified-diff.ts';
import { validateGraph } from '../../../architecture/validation/validate-graph.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';

export const fix = defineCommand({
  name: 'fix',
  summary: 'Show or apply safe repairs to the graph',
  options: [['--write', 'Write the repairs']],
  changes: true,
  schema: z.object({ write: z.boolean().default(false), dryRun: z.boolean().default(false) }),
  async run(context, { write, dryRun }) {
    return runFix(context, write && !dryRun);
  },
});

const BY = 'guardkit knowledge fix';

async function runFix(context: CliContext, write: boolean): Promise<Report> {
  const opened = await openKnowledge(context);
  const { file, schema } = opened;
  const fix = async () => {
    const before = await requireGraph(opened);
    const { graph, repairs } = fixGraph(before, schema);
    if (write && repairs.length > 0) {
      const written = await file.write(graph.text, { text: before.text });
      if (!written.ok) throw changed(file.name);
      const { recordUpdate } = await import('../../../architecture/history/record-update.ts');
      const change = { before: before.text, after: graph.text };
      return { before, graph, repairs, recorded: await recordUpdate(context, opened, change, BY) };
    }
    return { before, graph, repairs };
  };
  const { before, graph, repairs, recorded } = write ? await file.exclusively(fix) : await fix();
  const notices =
    recorded &&
    (await (await import('../../../architecture/history/record-update.ts')).remember(context, recorded));
  const { faults } = validateGraph(graph, schema);
  const diff = unifiedDiff(file.name, before.text, graph.text);
  const left = faults.length > 0 ? [`${plural(faults.length, 'error')} left that need a decision:`] : [];
  return {
    json: { repairs, diff, written: write && repairs.length > 0, faults },
    text: [
      ...(repairs.length === 0 ? ['Nothing can be repaired automatically.'] : repairs),
      ...(diff === '' ? [] : ['', diff.trimEnd(), '']),
      ...(repairs.length > 0
        ? [write ? 'Written.' : 'Nothing was written; use --write to make these repairs.']
        : []),
      ...left,
      ...describeFaults(file.name, faults),
    ].join('\n'),
    ...(notices && { notices }),
  };
}

function changed(name: string): GuardKitError {
  return new GuardKitError({
    code: 'graph.changed',
    kind: 'refused',
    message: `${name} was changed by another process.`,
    hint: 'Nothing was written; run the command again.',
  });
}
