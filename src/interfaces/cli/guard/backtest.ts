import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { type GuardDefinition, guardFileSchema } from '../../../config/guard-files/guard-file.ts';
import { readYamlFile, requireValid } from '../../../config/yaml/yaml-file.ts';
import { didYouMean, nearestWord } from '../../../domain/nearest-word.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { readPatterns } from '../../../learning/patterns/extract-patterns.ts';
import { backtestGuards } from '../../../learning/proposals/backtest-guards.ts';
import { readLearnedGuard } from '../../../store/ledger/tables/learned-guards.ts';
import { oneLine } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { describeBacktest } from './learned-guard.ts';
import { openGuards } from './open-guards.ts';
import { openLearning } from './open-learning.ts';

export const backtest = defineCommand({
  name: 'backtest',
  summary: 'Backtest a guard on the recorded actions',
  arguments: [['<guard>', 'Guard id, or a guard file']],
  schema: z.object({ guard: z.string().min(1) }),
  run: runBacktest,
});

async function runBacktest(context: CliContext, { guard: name }: { guard: string }): Promise<Report> {
  const learning = await openLearning(context);
  const definition = await definitionOf(context, name);
  const [backtest] = backtestGuards([definition], {
    ...learning,
    wrong: await knownWrong(context, name, learning),
  });
  if (!backtest) throw new Error('a backtest of one guard gave none');
  return {
    json: { guard: definition.id, backtest },
    text: [
      oneLine(`${definition.id}: ${definition.summary}`, context.width),
      ...describeBacktest(backtest, context.width),
    ].join('\n'),
  };
}

/** The actions behind the guard's own pattern. */
async function knownWrong(
  context: CliContext,
  name: string,
  { ledger, project }: Awaited<ReturnType<typeof openLearning>>,
) {
  const learned = readLearnedGuard(ledger, project, name);
  if (!learned) return [];
  const patterns = await readPatterns(await context.store(), project);
  return patterns.find(({ pattern_id }) => pattern_id === learned.pattern_id)?.actions ?? [];
}

async function definitionOf(context: CliContext, name: string): Promise<GuardDefinition> {
  const file = resolve(context.cwd, name);
  if (/\.ya?ml$/.test(name) && existsSync(file))
    return requireValid(await readYamlFile(file, guardFileSchema));
  const { sources, learned } = await openGuards(context);
  const definitions = [
    ...sources.files.map(({ definition }) => definition),
    ...learned.map(({ definition }) => guardFileSchema.parse(definition)),
  ];
  const found = definitions.find(({ id }) => id === name);
  if (found) return found;
  const ids = definitions.map(({ id }) => id);
  const near = nearestWord(name, ids);
  throw new GuardKitError({
    code: 'guard.unknown',
    kind: 'input',
    message: `"${name.slice(0, 80)}" is not a guard of this project’s own, and only those can be backtested.`,
    hint:
      didYouMean(near, '') ||
      `Specify a guard file${ids.length === 0 ? '; this project has no guards of its own' : `, or one of ${ids.join(', ')}`}.`,
  });
}
