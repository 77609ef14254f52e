import * as z from 'zod';
import { planUnblock } from '../../../enforcement/feature-list/plan-feature-edit.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { MAX_ATTEMPTS } from '../../../orchestration/session/session.ts';
import { confirm } from '../input/questions.ts';
import { oneLineText } from '../input/work-fields.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { personName, requirePerson } from '../verification/person-name.ts';
import { type Asked, changeFeatures, requireFeature, tryFeatureChange } from './change-features.ts';

export const unblock = defineCommand({
  name: 'unblock',
  summary: 'Unblock a feature for new attempts (person only)',
  arguments: [['<id>', 'Feature id']],
  options: [['--reason <text>', 'What has changed, for the record (required)']],
  changes: true,
  schema: z.object({
    id: z.string().min(1),
    reason: z
      .string({ error: 'required, for example --reason "the API key is set now"' })
      .pipe(oneLineText(1000)),
    dryRun: z.boolean().default(false),
  }),
  run: runUnblock,
});

interface UnblockInput {
  id: string;
  reason: string;
  dryRun: boolean;
}

async function runUnblock(context: CliContext, { id, reason, dryRun }: UnblockInput): Promise<Report> {
  const by = personName(context.env);
  const ask: Asked = (features) => {
    requireFeature(features, id);
    return planUnblock(features, { id, by, reason, maxAttempts: MAX_ATTEMPTS });
  };
  const { current, notices } = await tryFeatureChange(context, ask);
  const { retries, blocked_reason } = requireFeature(current, id);
  // Builds without a run or session count their attempts themselves.
  const after = retries === 0 ? '' : ` after ${plural(retries, 'failed attempt')}`;
  const json = { feature: id, retries, blocked_reason, reason, by };
  if (dryRun)
    return {
      json: { ...json, unblocked: false, dry_run: true },
      text: `would unblock ${id}${after}`,
      notices,
    };
  requirePerson(context, 'unblock a feature');
  const lines = [
    ...(blocked_reason === null ? [] : [`It was blocked: ${oneLine(blocked_reason, 500)}`]),
    `Unblock ${id}${after}?`,
  ];
  if (!(await confirm(context, lines.join('\n'))))
    throw new GuardKitError({
      code: 'unblock.declined',
      kind: 'refused',
      message: `${id} stays blocked.`,
      hint: 'Use --dry-run to preview.',
    });
  const done = await changeFeatures(context, ask);
  return {
    json: { ...json, unblocked: true, dry_run: false },
    text: `${id} is pending again with a new attempt count.`,
    notices: done.notices,
  };
}
