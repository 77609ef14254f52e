import * as z from 'zod';
import { openKnowledge } from '../../../architecture/file/open-knowledge.ts';
import type { RecordedUpdate } from '../../../architecture/history/record-update.ts';
import {
  describeFaults,
  type KnowledgeUpdated,
  knowledgeUpdate,
} from '../../../architecture/update/knowledge-update.ts';
import type { GraphChange } from '../../../architecture/validation/judge-change.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { readText } from '../input/read-text.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';

const text = z.string().optional();

export const update = defineCommand({
  name: 'update',
  summary: 'Change the graph; invalid changes are refused',
  arguments: [['[operation]', 'add_node, update_node, remove_node, rename_node, add_edge or remove_edge']],
  options: [
    ['--name <id>', 'Node operations: node id, in kebab-case'],
    ['--new-name <id>', 'rename_node: new id; edges and components are updated'],
    ['--type <type>', 'component, interface, abstraction, datastore, external, pattern or rule'],
    ['--level <level>', 'architecture or implementation'],
    ['--status <status>', 'current, deprecated, future or legacy'],
    ['--description <text>', 'What it is and why'],
    ['--priority <priority>', 'critical, high, medium or low (required for a rule)'],
    ['--tag <tag>', 'Category'],
    ['--component <id>', 'Node that this one is part of'],
    ['--path <path>', 'File or folder in the repository'],
    ['--example <text>', 'Code example'],
    ['--unset <field>', 'update_node: optional field to remove', 'repeatable'],
    ['--from <id>', 'Edge operations: start node'],
    ['--to <id>', 'Edge operations: end node'],
    [
      '--relation <relation>',
      'calls, uses, implements, configured_with, must_follow, must_not_use, superseded_by, supersedes or coexists_with',
    ],
    ['--note <text>', 'add_edge: note on the relation'],
    ['--json-ops <file>', 'JSON file of operations, or - for stdin; all or nothing'],
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
  run: runUpdate,
});

interface UpdateInput {
  operation?: string | undefined;
  newName?: string | undefined;
  jsonOps?: string | undefined;
  dryRun: boolean;
  [field: string]: unknown;
}

const MAX_BYTES = 4 * 1024 * 1024;

async function runUpdate(context: CliContext, input: UpdateInput): Promise<Report> {
  const { jsonOps, dryRun, newName, ...fields } = input;
  const request =
    jsonOps === undefined ? { ...fields, new_name: newName } : await readOperations(context, jsonOps, fields);
  const opened = await openKnowledge(context);
  const { file, schema } = opened;
  let recorded: RecordedUpdate | undefined;
  const onWritten = async (change: GraphChange) => {
    const { recordUpdate } = await import('../../../architecture/history/record-update.ts');
    recorded = await recordUpdate(context, opened, change, 'guardkit knowledge update');
  };
  const result = await knowledgeUpdate({ ...request, dry_run: dryRun }, file, { schema, onWritten });
  if (!result.ok) {
    throw new GuardKitError({
      code: result.code,
      kind: result.code.startsWith('request.') ? 'input' : 'refused',
      message: result.message,
      hint: result.hint,
    });
  }
  const notices =
    recorded &&
    (await (await import('../../../architecture/history/record-update.ts')).remember(context, recorded));
  return {
    json: { ...result, dry_run: dryRun },
    text: describe(file.name, result, dryRun),
    ...(notices && { notices }),
  };
}

async function readOperations(
  context: CliContext,
  jsonOps: string,
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (Object.values(fields).some((value) => value !== undefined)) {
    throw usage('--json-ops cannot be combined with other operations.');
  }
  const hint =
    'Use a file with one operation, such as {"operation":"remove_node","name":"x"}, or a list of them.';
  const text = await readText(context, jsonOps, { maxBytes: MAX_BYTES, hint });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usage(`${jsonOps} is not JSON: ${error instanceof Error ? error.message : error}.`, hint);
  }
  if (Array.isArray(value)) return { operations: value };
  if (typeof value === 'object' && value !== null) return { ...value };
  throw usage(`${jsonOps} is neither an operation nor a list of operations.`, hint);
}

function usage(
  message: string,
  hint = 'Run the command with --help to see its arguments and options.',
): GuardKitError {
  return new GuardKitError({ code: 'usage', kind: 'input', message, hint });
}

function describe(name: string, result: KnowledgeUpdated, dryRun: boolean): string {
  const { changes, diff, faults, warnings } = result;
  const head = dryRun ? 'Would be done:' : diff === '' ? 'Nothing to change:' : 'Done:';
  return [
    head,
    ...changes.map((change) => `  ${change}`),
    ...(diff === '' ? [] : ['', diff.trimEnd()]),
    ...(faults.length === 0 ? [] : ['', `${plural(faults.length, 'existing error')}:`]),
    ...describeFaults(name, faults, 10),
    ...(warnings.length === 0 ? [] : ['', `${plural(warnings.length, 'warning')}:`]),
    ...describeFaults(name, warnings, 10),
  ].join('\n');
}
