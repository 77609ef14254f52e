import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { extractPatterns } from '../../../learning/patterns/extract-patterns.ts';
import { createGuard } from '../../../learning/proposals/create-guard.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName } from '../verification/person-name.ts';
import { describeLearned, describePattern } from './learned-guard.ts';
import { openLearning, proposer, upToDateStore } from './open-learning.ts';

export const propose = defineCommand({
  name: 'propose',
  summary: 'Propose a guard from a pattern, or list the patterns',
  arguments: [['[pattern]', 'Pattern id (default: list the patterns)']],
  changes: true,
  schema: z.object({ pattern: z.string().min(1).optional(), dryRun: z.boolean().default(false) }),
  run: runPropose,
});

async function runPropose(
  context: CliContext,
  { pattern: patternId, dryRun }: { pattern?: string | undefined; dryRun: boolean },
): Promise<Report> {
  const learning = await openLearning(context);
  const { ledger, project, settings } = learning;
  const store = await upToDateStore(context, ledger);
  const { thresholds } = settings;
  const { patterns, changed, read } = await extractPatterns({ ledger, store, project, thresholds });
  if (patternId === undefined)
    return {
      json: { patterns, changed, read },
      text: [
        patterns.length === 0
          ? `No pattern yet. A pattern needs ${thresholds.count} similar traces from ${thresholds.features} features and ${thresholds.sessions} sessions.`
          : plural(patterns.length, 'pattern'),
        ...patterns.flatMap((pattern) => describePattern(pattern, context.width)),
        ...(patterns.length === 0 ? [] : ['`guardkit guard propose PATTERN` proposes a guard from one.']),
      ].join('\n'),
    };
  const made = await createGuard({
    ...learning,
    store,
    patternId,
    dryRun,
    ...proposer(context, personName(context.env)),
  });
  if (!made.ok)
    throw new GuardKitError({
      code: 'guard.not-proposed',
      kind: 'refused',
      message: made.why,
      hint: made.hint,
    });
  const { guard, pattern, known } = made;
  return {
    json: { guard, pattern: pattern.pattern_id, known, proposed: !dryRun && !known },
    text: [
      ...(dryRun && !known ? ['would propose'] : []),
      ...(known ? ['It was proposed before.'] : []),
      ...describeLearned(guard, context.width),
      `\`guardkit guard promote ${guard.guard_id}\` lets it refuse actions; until then it only watches.`,
    ].join('\n'),
  };
}
