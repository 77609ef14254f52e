import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

const text = z.string().optional();

export const update = defineCommand({
  name: 'update',
  summary:
    'change the architecture graph: refused is what would make it invalid, everything else stays as it is',
  arguments: [['[operation]', 'add_node, update_node, remove_node, rename_node, add_edge or remove_edge']],
  options: [
    ['--name <id>', 'node operations: the id of the node, in kebab-case'],
    ['--new-name <id>', 'rename_node: the new id; edges and components follow'],
    ['--type <type>', 'component, interface, abstraction, datastore, external, pattern or rule'],
    ['--level <level>', 'architecture or implementation'],
    ['--status <status>', 'current, deprecated, future or legacy'],
    ['--description <text>', 'what it is and why'],
    ['--priority <priority>', 'critical, high, medium or low; a rule needs it'],
    ['--tag <tag>', 'a category'],
    ['--component <id>', 'the node that this one is a part of'],
    ['--path <path>', 'a file or folder in the repository'],
    ['--example <text>', 'an example in code'],
    ['--unset <field>', 'update_node: take this optional field away', 'repeatable'],
    ['--from <id>', 'edge operations: where the edge comes from'],
    ['--to <id>', 'edge operations: where the edge leads to'],
    [
      '--relation <relation>',
      'calls, uses, implements, configured_with, must_follow, must_not_use, superseded_by, supersedes or coexists_with',
    ],
    ['--note <text>', 'add_edge: a remark on the relation'],
    [
      '--json-ops <file>',
      'a JSON file with one operation or a list of them, all or none; - for standard input',
    ],
  ],
  changes: true,
  schema: z.object({
    operation: text,
    name: text,
    newName: text,
    type: text,
    level: text,
    status: text,
    description: text,
    priority: text,
    tag: text,
    component: text,
    path: text,
    example: text,
    unset: z.array(z.string()).optional(),
    from: text,
    to: text,
    relation: text,
    note: text,
    jsonOps: text,
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runUpdate } = await import('./run-update.ts');
    return runUpdate(context, input);
  },
});
