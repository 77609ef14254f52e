import * as z from 'zod';
import { assignCriterionIds } from '../../domain/criteria/assign-criterion-ids.ts';
import { taskSchema } from '../../domain/entities/task.ts';
import { didYouMean, oneSlipFrom } from '../../domain/nearest-word.ts';
import { verifySchema } from '../project/verify-config.ts';
import type { ParsedYaml, Place } from '../yaml/yaml-file.ts';
import { readYamlMapping } from '../yaml/yaml-mapping.ts';
import { readAcceptanceCriteria } from './acceptance-criteria.ts';
import type { TaskDefinition } from './work.ts';
import { schemaFaults, type WorkFault } from './work-fault.ts';

const MAX_CHARACTERS = 1024 * 1024;
const MAX_FRONT_MATTER = 64 * 1024;

const asList = (value: unknown) => (typeof value === 'string' ? [value] : value);
const ids = z.preprocess(asList, taskSchema.shape.dependencies);
const named = (schema: typeof taskSchema.shape.removes_tests) =>
  z.preprocess((value) => (value === false ? [] : asList(value)), schema);

/** Known keys of the front matter; others are preserved. */
const frontMatterSchema = taskSchema
  .omit({ criteria: true, extra: true, dependencies: true })
  .extend({
    dependencies: ids,
    depends_on: ids,
    removes_tests: named(taskSchema.shape.removes_tests),
    changes_tests: named(taskSchema.shape.changes_tests),
    tests_may_pass_on_base: named(taskSchema.shape.tests_may_pass_on_base),
    verify: verifySchema.optional(),
  })
  .strip();

const HINTS = {
  id: 'write the id that the file name starts with, such as id: TASK-001',
  title: 'add a one-line title',
  task_type: 'write a task type, such as feature',
  complexity: 'write a whole number from 1 to 10',
  feature_id: 'write one feature id, such as FEAT-AUTH',
  dependencies: 'list task ids, such as [TASK-001, TASK-002]',
  depends_on: 'list task ids, such as [TASK-001, TASK-002]',
  removes_tests: 'write true, or a list of the removed tests',
  changes_tests: 'write true, or a list of the tests whose expectations change',
  tests_may_pass_on_base: 'write true, or a list of test names',
  ui: 'write true or false',
  verify: 'write it as in .guardkit/config.yaml',
};

export interface ParsedTask {
  /** Undefined if the front matter has faults. */
  task?: TaskDefinition;
  /** The feature named in the file, even if it has faults. */
  featureId?: string;
  faults: WorkFault[];
  placeOf(key: string): Place;
  placeOfDependency(id: string): Place;
}

/** Reads a task file's text. Never throws: returns a task, faults with their lines, or both. */
export function parseTaskFile(path: string, text: string): ParsedTask {
  const beginning = { line: 1, column: 1 };
  const refused = (faults: WorkFault[]): ParsedTask => ({
    faults,
    placeOf: () => beginning,
    placeOfDependency: () => beginning,
  });
  const fault = (line: number, code: string, message: string, hint: string): WorkFault => ({
    file: path,
    line,
    column: 1,
    code,
    message,
    hint,
  });
  if (text.length > MAX_CHARACTERS)
    return refused([fault(1, 'too-large', 'the file is larger than 1 MB', 'shorten it')]);
  const split = splitFrontMatter(text);
  if (!split.ok) return refused([fault(split.line, split.code, split.message, split.hint)]);
  const { yaml, body, bodyLine } = split.value;
  const section = readAcceptanceCriteria(body, bodyLine);
  const faults = section.faults.map(({ line, code, message, hint }) => fault(line, code, message, hint));

  const parsed = readYamlMapping(path, yaml, { name: 'the front matter', maxCharacters: MAX_FRONT_MATTER });
  if (!parsed.ok) return refused([...parsed.faults, ...faults]);
  const { value, places } = parsed;
  const placed = {
    ...(typeof value.feature_id === 'string' ? { featureId: value.feature_id } : {}),
    placeOf: (key: string) => places.placeOf([key]),
    placeOfDependency: (id: string) => placeOfDependency(id, value, places),
  };
  faults.unshift(...misspeltKeys(path, value, places));
  const checked = frontMatterSchema.safeParse(value);
  if (!checked.success) {
    const wrong = schemaFaults(path, checked.error, places, frontMatterSchema, HINTS);
    return { faults: [...wrong, ...faults], ...placed };
  }
  const { depends_on, verify, ...known } = checked.data;
  const task: TaskDefinition = {
    ...known,
    dependencies: [...new Set([...known.dependencies, ...depends_on])],
    criteria: section.criteria,
    extra: unknownKeys(value),
    path,
    ...(verify ? { verify } : {}),
  };
  return { task, faults: [...faults, ...criteriaFaults(task, section.line, bodyLine, fault)], ...placed };
}

function criteriaFaults(
  { criteria, status }: TaskDefinition,
  headingLine: number | undefined,
  bodyLine: number,
  fault: (line: number, code: string, message: string, hint: string) => WorkFault,
): WorkFault[] {
  const assigned = assignCriterionIds(criteria, []);
  if (!assigned.ok) return [fault(assigned.line, assigned.code, assigned.why, assigned.hint)];
  // A completed task needs no criteria, and old projects have many such files.
  if (criteria.length > 0 || status === 'completed') return [];
  return headingLine === undefined
    ? [
        fault(
          bodyLine,
          'no-criteria-section',
          'no "## Acceptance Criteria" section',
          'add it, with a bullet for each criterion',
        ),
      ]
    : [
        fault(
          headingLine,
          'no-criteria',
          'no acceptance criteria',
          'add a bullet for each, such as "- [ ] AC-001: …"',
        ),
      ];
}

/** Shorter keys are similar to too many words. */
const SHORTEST_KEY = 4;

/** Unknown keys are preserved, but with `task_typ` the task would silently get the default type. */
function misspeltKeys(path: string, value: Record<string, unknown>, places: ParsedYaml): WorkFault[] {
  const missing = Object.keys(frontMatterSchema.shape).filter((key) => !Object.hasOwn(value, key));
  return Object.keys(unknownKeys(value)).flatMap((key) => {
    const meant = key.length < SHORTEST_KEY ? undefined : oneSlipFrom(key, missing);
    if (meant === undefined) return [];
    const message = `unknown key "${key}"`;
    const place = places.placeOfKey([key]);
    return [{ file: path, ...place, code: 'unknown-key', message, hint: didYouMean(meant, '') }];
  });
}

function unknownKeys(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !Object.hasOwn(frontMatterSchema.shape, key)),
  );
}

function placeOfDependency(id: string, value: Record<string, unknown>, places: ParsedYaml): Place {
  for (const key of ['dependencies', 'depends_on']) {
    const list = value[key];
    if (list === id) return places.placeOf([key]);
    const index = Array.isArray(list) ? list.indexOf(id) : -1;
    if (index >= 0) return places.placeOf([key, index]);
  }
  return places.placeOf(['id']);
}

/** A file's front matter and body, with their lines. */
interface SplitText {
  /** Padded with the empty lines above it, so that its line numbers are those of the file. */
  yaml: string;
  body: readonly string[];
  /** The number of the body's first line. */
  bodyLine: number;
}

type SplitResult =
  | { ok: true; value: SplitText }
  | { ok: false; line: number; code: string; message: string; hint: string };

const HINT = 'start the file with ---, the keys id: and title:, and --- again';

/** Splits a Markdown file into YAML front matter and body. */
function splitFrontMatter(text: string): SplitResult {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return { ok: false, line: 1, code: 'empty-file', message: 'the file is empty', hint: HINT };
  if (lines[first]?.trimEnd() !== '---') {
    return {
      ok: false,
      line: first + 1,
      code: 'no-front-matter',
      message: 'no front matter',
      hint: HINT,
    };
  }
  const length = lines.slice(first + 1).findIndex((line) => /^(?:---|\.\.\.)[ \t]*$/.test(line));
  if (length < 0) {
    return {
      ok: false,
      line: first + 1,
      code: 'open-front-matter',
      message: 'the front matter that starts here is never closed',
      hint: 'close it with a --- line',
    };
  }
  const end = first + 1 + length;
  return {
    ok: true,
    value: {
      yaml: '\n'.repeat(first + 1) + lines.slice(first + 1, end).join('\n'),
      body: lines.slice(end + 1),
      bodyLine: end + 2,
    },
  };
}
