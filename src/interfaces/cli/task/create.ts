import * as z from 'zod';
import {
  type CreatedFile,
  createWorkFile,
  planWorkFile,
  type WorkFileRequest,
} from '../../../config/work/create-work-file.ts';
import { findWork } from '../../../config/work/find-work.ts';
import { readWork } from '../../../config/work/read-work.ts';
import type { Work } from '../../../config/work/work.ts';
import { taskTemplate } from '../../../config/work/work-templates.ts';
import { MAX_COMPLEXITY } from '../../../domain/complexity.ts';
import { MAX_CRITERIA, MAX_CRITERION_TEXT } from '../../../domain/criteria/criterion.ts';
import { refSafeIdSchema } from '../../../domain/entities/task.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { loadRuleSources } from '../../../rules/load-rule-sources.ts';
import { resolveQualityGates } from '../../../rules/resolve-quality-gates.ts';
import { modeAdvice, suggestImplementationMode } from '../../../rules/suggest-implementation-mode.ts';
import { memoryNotice } from '../config/explain.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { oneLineText, prefixedId } from '../input/work-fields.ts';
import { defineCommand } from '../program/cli-command.ts';
import { ownFiles } from '../protection/own-files.ts';
import { gateLine, gatesJson, modeJson } from './describe-rules.ts';
import { requireRoot } from './open-work.ts';

const inputSchema = z.object({
  title: oneLineText(300),
  id: prefixedId('TASK-').optional(),
  type: z.string().default('feature'),
  complexity: wholeNumber(MAX_COMPLEXITY, 5),
  feature: refSafeIdSchema.optional(),
  dependsOn: z.array(z.string()).default([]),
  criterion: z.array(oneLineText(MAX_CRITERION_TEXT)).max(MAX_CRITERIA).default([]),
  dryRun: z.boolean().default(false),
});

type Input = z.infer<typeof inputSchema>;

export const create = defineCommand({
  name: 'create',
  summary: 'Create a task file',
  arguments: [['<title>', 'Title, in one line']],
  options: [
    ['--id <id>', 'Id (default: the next free one, such as TASK-001)'],
    ['--type <type>', 'Task type, which selects the gates (default: feature)'],
    ['--complexity <n>', 'Complexity from 1 to 10 (default: 5)'],
    ['--feature <id>', 'Feature it belongs to (default: a feature of its own)'],
    ['--depends-on <id>', 'Task that must be done first', 'repeatable'],
    ['--criterion <text>', 'Acceptance criterion', 'repeatable'],
  ],
  changes: true,
  schema: inputSchema,
  async run(context, input) {
    const root = requireRoot(context);
    const { store } = await context.workspace();
    const sources = await loadRuleSources(root, store);
    // Both refuse an unknown type before anything is written.
    const gates = resolveQualityGates(sources, input.type, input.complexity);
    const mode = suggestImplementationMode(sources, input.type, input.complexity);
    const work = await readWork(root);
    checkDependencies(work, input);
    const made = make(root, input);
    if (!input.dryRun) await ownFiles(context, [made.path]);
    return {
      json: {
        id: made.id,
        path: made.path,
        feature: input.feature ?? made.id,
        gates: gatesJson(gates),
        mode: modeJson(mode),
        dry_run: input.dryRun,
      },
      text: [
        `${input.dryRun ? 'Would write' : 'Wrote'} ${made.path}`,
        ...(input.feature === undefined ? [] : [`Feature: ${input.feature}${standing(work, input.feature)}`]),
        `Gates: ${gateLine(gates)}`,
        ...(mode ? [modeAdvice(mode)] : []),
        ...(input.dryRun ? [] : [`Next: ${nextStep(input, made)}`]),
      ].join('\n'),
      notices: memoryNotice(sources.memory),
    };
  },
});

function make(root: string, input: Input): CreatedFile {
  const request: WorkFileRequest = {
    kind: 'task',
    id: input.id,
    slug: slugOf(input.title),
    text: (id) =>
      taskTemplate({
        id,
        title: input.title,
        task_type: input.type,
        complexity: input.complexity,
        feature_id: input.feature,
        dependencies: [...new Set(input.dependsOn)],
        criteria: input.criterion,
      }),
  };
  if (!input.dryRun) return createWorkFile(root, request);
  const planned = planWorkFile(root, request);
  // Made for what it refuses.
  request.text(planned.id);
  return planned;
}

/** A typo in the id would create another feature. */
function standing({ features }: Work, id: string): string {
  return features.some((feature) => feature.id === id) ? '' : ', which is new: this is its first task';
}

function checkDependencies(work: Work, { id, dependsOn }: Input): void {
  for (const on of dependsOn) {
    if (on === id) throw dependsOnItself(on);
    findWork(work, on);
    if (work.tasks.some((task) => task.id === on)) continue;
    throw new GuardKitError({
      code: 'usage',
      kind: 'input',
      message: `--depends-on ${on}: this is a feature; a task can depend only on tasks.`,
      hint: 'Specify one of its tasks from `guardkit feature show`. Nothing was written.',
    });
  }
}

function dependsOnItself(id: string): GuardKitError {
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `--depends-on ${id}: a task cannot depend on itself.`,
    hint: 'Omit it. Nothing was written.',
  });
}

function nextStep({ criterion }: Input, { id, path }: CreatedFile): string {
  const write = criterion.length === 0 ? 'write its acceptance criteria, ' : '';
  return `${write}commit ${path} (verification reads the committed file), then \`guardkit feature-build ${id}\`, or do it yourself and \`guardkit verify ${id}\`.`;
}

/** The title as a portable file name; may be empty. */
function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (longer.length > 50) break;
    slug = longer;
  }
  return slug;
}
