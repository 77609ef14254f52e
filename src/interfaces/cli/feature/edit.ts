import { FEATURE_STATUSES } from '../../../domain/entities/feature.ts';
import { defineCommand } from '../program/cli-command.ts';
import { editSchema } from './edit-input.ts';

export const edit = defineCommand({
  name: 'edit',
  summary: 'change a feature of the list; what GuardKit itself sets, nobody can',
  arguments: [['<id>', 'the feature']],
  options: [
    ['--description <text>', 'what a person gets'],
    ['--priority <n>', '1 is the most urgent; critical, high, medium and low are 1 to 4'],
    ['--status <status>', `one of ${FEATURE_STATUSES.join(', ')}`],
    ['--notes <text>', 'what the next one should know, in place of what stands there'],
    ['--type <type>', 'the task type, by which its gates are chosen'],
    ['--complexity <n>', 'from 1 to 10'],
    ['--criterion-add <text>', 'a further acceptance criterion', 'repeatable'],
    ['--criterion-remove <id>', 'the id of a criterion that goes; only a person may', 'repeatable'],
    ['--dependency-add <id>', 'a further feature that must be done before', 'repeatable'],
    ['--dependency-remove <id>', 'a feature that it no longer waits for', 'repeatable'],
    ['--remove', 'take the whole feature off the list; only a person may'],
  ],
  changes: true,
  schema: editSchema,
  async run(context, input) {
    const { runEdit } = await import('./run-edit.ts');
    return runEdit(context, input);
  },
});
