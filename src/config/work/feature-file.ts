import * as z from 'zod';
import { assignCriterionIds } from '../../domain/criteria/assign-criterion-ids.ts';
import {
  MAX_CRITERIA,
  MAX_CRITERION_TEXT,
  splitCriterionId,
  type WrittenCriterion,
} from '../../domain/criteria/criterion.ts';
import { featureSchema } from '../../domain/entities/feature.ts';
import { refSafeIdSchema } from '../../domain/entities/task.ts';
import { workIdSchema } from '../../domain/entities/work-id.ts';
import { verifySchema } from '../project/verify-config.ts';
import type { ParsedYaml, Place } from '../yaml/yaml-file.ts';
import { readYamlMapping } from '../yaml/yaml-mapping.ts';
import type { FeatureDefinition } from './work.ts';
import { schemaFaults, type WorkFault } from './work-fault.ts';

const MAX_IDS = 1000;

const ids = z.array(workIdSchema).max(MAX_IDS).optional();
const task = z.strictObject({ id: workIdSchema, dependencies: ids, depends_on: ids });
const text = z.string().min(1).max(MAX_CRITERION_TEXT);
const criterion = z.strictObject({
  id: z.string().min(1).max(40).optional(),
  text,
  detail: z.string().optional(),
});

/** A feature file without short forms: tasks and criteria are mappings. */
const fullFeatureFileSchema = z.strictObject({
  id: refSafeIdSchema,
  name: z.string().min(1).max(300),
  description: z.string().optional(),
  priority: featureSchema.shape.priority.unwrap().optional(),
  task_type: z.string().min(1).max(80).optional(),
  complexity: featureSchema.shape.complexity.unwrap().optional(),
  ui: z.boolean().optional(),
  verify: verifySchema.optional(),
  tasks: z.array(task).max(MAX_IDS).optional(),
  dependencies: ids,
  depends_on: ids,
  acceptance_criteria: z.array(criterion).max(MAX_CRITERIA).optional(),
});

type FullFeatureFile = z.infer<typeof fullFeatureFileSchema>;

/** `.guardkit/features/FEAT-*.yaml` with short forms. Only for editors: faults of unions are hard to read. */
export const featureFileSchema = fullFeatureFileSchema.extend({
  tasks: z
    .array(z.union([workIdSchema, task]))
    .max(MAX_IDS)
    .optional(),
  acceptance_criteria: z
    .array(z.union([text, criterion]))
    .max(MAX_CRITERIA)
    .optional(),
});

const MAX_CHARACTERS = 256 * 1024;

const HINTS = {
  id: 'write the id that the file name starts with, such as id: FEAT-AUTH',
  name: 'add a one-line name',
  priority: 'write a whole number; 1 is the most urgent',
  complexity: 'write a whole number from 1 to 10',
  ui: 'write true or false',
  verify: 'write it as in .guardkit/config.yaml',
  tasks: 'list task ids, such as [TASK-001, {id: TASK-002, depends_on: [TASK-001]}]',
  dependencies: 'list feature ids, such as [FEAT-AUTH]',
  depends_on: 'list feature ids, such as [FEAT-AUTH]',
  acceptance_criteria: 'list texts, such as "AC-001: A person can log in"',
};

/** A dependency of a task, from the feature's file. */
export interface TaskEdge {
  task: string;
  on: string;
  place: Place;
}

export interface ParsedFeature {
  /** Undefined if the file has faults. */
  feature?: FeatureDefinition;
  /** Task dependencies from this file. */
  edges: TaskEdge[];
  faults: WorkFault[];
  placeOf(key: string): Place;
  placeOfTask(id: string): Place;
  placeOfDependency(id: string): Place;
}

/** Reads a feature file's text. Never throws: returns a feature, or faults with line and column. */
export function parseFeatureFile(path: string, text: string): ParsedFeature {
  const mapping = readYamlMapping(path, text.replace(/^\uFEFF/, ''), {
    name: 'the file',
    maxCharacters: MAX_CHARACTERS,
  });
  const beginning = { line: 1, column: 1 };
  if (!mapping.ok) {
    const nowhere = () => beginning;
    return {
      edges: [],
      faults: mapping.faults,
      placeOf: nowhere,
      placeOfTask: nowhere,
      placeOfDependency: nowhere,
    };
  }
  const { places } = mapping;
  const value = writeOut(mapping.value);
  const checked = fullFeatureFileSchema.safeParse(value);
  if (!checked.success) {
    const placeOf = (key: string) => places.placeOf([key]);
    const nowhere = () => places.placeOf(['id']);
    const faults = schemaFaults(path, checked.error, { ...places, value }, fullFeatureFileSchema, HINTS);
    return { edges: [], faults, placeOf, placeOfTask: nowhere, placeOfDependency: nowhere };
  }
  const file = checked.data;
  const feature = defineFeature(path, file, places);
  const repeated = assignCriterionIds(feature.criteria, []);
  return {
    feature,
    edges: taskEdges(file, places),
    faults: repeated.ok
      ? []
      : [
          {
            file: path,
            line: repeated.line,
            column: 1,
            code: repeated.code,
            message: repeated.why,
            hint: repeated.hint,
          },
        ],
    placeOf: (key) => places.placeOf([key]),
    placeOfTask: (id) => places.placeOf(['tasks', feature.tasks.indexOf(id)]),
    placeOfDependency: (id) => {
      const key = file.dependencies?.includes(id) ? 'dependencies' : 'depends_on';
      return places.placeOf([key, file[key]?.indexOf(id) ?? 0]);
    },
  };
}

/** Expands `TASK-001` to `{id: TASK-001}`, and a text to a criterion. */
function writeOut(value: Record<string, unknown>): Record<string, unknown> {
  const list = (key: string, field: string) => {
    const items = value[key];
    if (!Array.isArray(items)) return {};
    return { [key]: items.map((item: unknown) => (typeof item === 'string' ? { [field]: item } : item)) };
  };
  return { ...value, ...list('tasks', 'id'), ...list('acceptance_criteria', 'text') };
}

function defineFeature(path: string, file: FullFeatureFile, places: ParsedYaml): FeatureDefinition {
  return {
    id: file.id,
    name: file.name,
    description: file.description ?? '',
    priority: file.priority ?? 3,
    task_type: file.task_type ?? 'feature',
    complexity: file.complexity ?? 5,
    ui: file.ui ?? false,
    ...(file.verify ? { verify: file.verify } : {}),
    dependencies: [...new Set([...(file.dependencies ?? []), ...(file.depends_on ?? [])])],
    tasks: (file.tasks ?? []).map(({ id }) => id),
    criteria: (file.acceptance_criteria ?? []).map((written, index): WrittenCriterion => {
      const { line } = places.placeOf(['acceptance_criteria', index]);
      const said = written.id === undefined ? splitCriterionId(written.text.trim()) : written;
      return {
        ...(said.id === undefined ? {} : { id: said.id }),
        text: said.text || written.text,
        detail: written.detail ?? '',
        line,
      };
    }),
    path,
    files: [path],
  };
}

function taskEdges({ tasks = [] }: FullFeatureFile, places: ParsedYaml): TaskEdge[] {
  return tasks.flatMap((task, index) =>
    (['dependencies', 'depends_on'] as const).flatMap((key) =>
      (task[key] ?? []).map((on, at) => ({
        task: task.id,
        on,
        place: places.placeOf(['tasks', index, key, at]),
      })),
    ),
  );
}
