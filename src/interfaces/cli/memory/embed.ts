import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { plural } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';

export const embed = defineCommand({
  name: 'embed',
  summary: 'Compute missing embeddings',
  changes: true,
  schema: z.object({ dryRun: z.boolean().default(false) }),
  async run(context, { dryRun }) {
    const store = await context.store();
    const { embeddings } = await store.info();
    if (!embeddings.enabled) throw notConfigured();
    const { model, pending } = embeddings;
    if (dryRun)
      return {
        json: { model, pending, dry_run: true },
        text: `would compute ${plural(pending, 'embedding')} with ${model}`,
      };
    const embedded = await store.embed();
    return { json: { model, embedded }, text: `computed ${plural(embedded, 'embedding')} with ${model}` };
  },
});

function notConfigured(): GuardKitError {
  return new GuardKitError({
    code: 'embeddings.off',
    kind: 'input',
    message: 'No embeddings endpoint is configured.',
    hint: 'Set embeddings.baseUrl and embeddings.model in .guardkit/config.yaml. Until then, search matches keywords only.',
  });
}
