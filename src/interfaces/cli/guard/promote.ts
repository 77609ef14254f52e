import * as z from 'zod';
import { guardFileSchema } from '../../../config/guard-files/guard-file.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { readPatterns } from '../../../learning/patterns/extract-patterns.ts';
import { backtestGuards } from '../../../learning/proposals/backtest-guards.ts';
import { promoteGuard } from '../../../learning/proposals/change-learned-guard.ts';
import { confirm } from '../input/questions.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';
import { describeLearned, requireChanged, requireLearned } from './learned-guard.ts';
import { openLearning } from './open-learning.ts';

export const promote = defineCommand({
  name: 'promote',
  summary: 'Let a learned guard warn or enforce (person only)',
  arguments: [['<guard>', 'Guard id']],
  options: [['--to <mode>', 'warn or enforce (default: enforce)']],
  changes: true,
  schema: z.object({
    guard: z.string().min(1),
    to: z.enum(['warn', 'enforce'], 'expected warn or enforce').default('enforce'),
    dryRun: z.boolean().default(false),
  }),
  run: runPromote,
});

async function runPromote(
  context: CliContext,
  { guard: id, to, dryRun }: { guard: string; to: 'warn' | 'enforce'; dryRun: boolean },
): Promise<Report> {
  const learning = await openLearning(context);
  const { ledger, project, now } = learning;
  const guard = requireLearned(ledger, project, id);
  const patterns = await readPatterns(await context.store(), project);
  const wrong = patterns.find(({ pattern_id }) => pattern_id === guard.pattern_id)?.actions ?? [];
  const [backtest = guard.backtest] = backtestGuards([guardFileSchema.parse(guard.definition)], {
    ...learning,
    wrong,
  });
  const shown = describeLearned({ ...guard, backtest }, context.width).join('\n');
  if (dryRun)
    return {
      json: { guard: id, to, backtest, promoted: false },
      text: `would promote it to ${to}\n${shown}`,
    };
  requirePerson(context, 'promote a guard');
  if (!(await confirm(context, `${shown}\nLet it ${to === 'warn' ? 'warn agents' : 'refuse actions'}?`)))
    throw new GuardKitError({
      code: 'guard.declined',
      kind: 'refused',
      message: 'Cancelled; nothing changed.',
      hint: `${id} stays in mode ${guard.mode}.`,
    });
  const by = personName(context.env);
  const why = `fired ${backtest.fired}, violations ${backtest.violations}, approved ${backtest.approved}`;
  const changed = promoteGuard({ ledger, project, guardId: id, now, by, why }, to, backtest);
  return {
    json: {
      guard: requireChanged(changed, 'Check it with `guardkit guard show`.'),
      promoted: true,
    },
    text: `${id} is now in mode ${to}. \`guardkit guard retire ${id}\` retires it.`,
  };
}
