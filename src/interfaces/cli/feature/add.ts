import { defineCommand } from '../program/cli-command.ts';
import { addSchema } from './add-input.ts';
import { runAdd } from './run-add.ts';

export const add = defineCommand({
  name: 'add',
  summary: 'add a feature to the list; it needs no file',
  arguments: [['<description>', 'what a person gets']],
  options: [
    ['--id <id>', 'its id (default: the next free F001)'],
    ['--priority <n>', '1 is the most urgent (default: 3); critical, high, medium and low are 1 to 4'],
    ['--depends-on <id>', 'a feature that must be done before', 'repeatable'],
    ['--criterion <text>', 'an acceptance criterion', 'repeatable'],
    ['--type <type>', 'the task type, by which its gates are chosen (default: feature)'],
    ['--complexity <n>', 'from 1 to 10 (default: 5)'],
    ['--ui', 'it is seen in a browser, so it needs a browser check'],
  ],
  changes: true,
  schema: addSchema,
  run: runAdd,
});
