import { assignCriterionIds } from '../../domain/criteria/assign-criterion-ids.ts';
import { splitCriterionId } from '../../domain/criteria/criterion.ts';
import { GuardKitError } from '../../guardkit-error.ts';

export interface NewTask {
  id: string;
  title: string;
  task_type: string;
  complexity: number;
  feature_id: string | undefined;
  dependencies: readonly string[];
  criteria: readonly string[];
}

export interface NewFeature {
  id: string;
  name: string;
  tasks: readonly string[];
  ui: boolean;
}

/** The file of a new task; reading it gives the same task. */
export function taskTemplate(task: NewTask): string {
  const front = [
    `id: ${scalar(task.id)}`,
    `title: ${scalar(task.title)}`,
    'status: backlog',
    `task_type: ${scalar(task.task_type)}`,
    `complexity: ${task.complexity}`,
    ...(task.feature_id === undefined ? [] : [`feature_id: ${scalar(task.feature_id)}`]),
    ...(task.dependencies.length === 0 ? [] : [`dependencies: ${list(task.dependencies)}`]),
  ];
  return `---\n${front.join('\n')}\n---\n\n# ${task.id}: ${task.title}\n\n## Acceptance Criteria\n\n${criteria(task.criteria)}`;
}

/** The file of a new feature. */
export function featureTemplate({ id, name, tasks, ui }: NewFeature): string {
  return [
    '# yaml-language-server: $schema=../schemas/feature.schema.json',
    `id: ${scalar(id)}`,
    `name: ${scalar(name)}`,
    ...(ui ? ['ui: true'] : []),
    ...(tasks.length === 0
      ? [
          '# Tasks, in order. Tasks whose file sets feature_id to this feature belong to it too.',
          '# tasks:',
          '#   - TASK-001',
          '#   - {id: TASK-002, depends_on: [TASK-001]}',
          '# Or, for a feature without tasks:',
          '# acceptance_criteria:',
          '#   - "AC-001: A person can …"',
        ]
      : ['tasks:', ...tasks.map((task) => `  - ${scalar(task)}`)]),
    '',
  ].join('\n');
}

/** Ids are written from the start, so that a criterion is recognised after its text changes. */
function criteria(texts: readonly string[]): string {
  if (texts.length === 0) return '<!-- One bullet per criterion:\n- [ ] AC-001: A person can …\n-->\n';
  const written = texts.map((text, index) => ({ ...splitCriterionId(text), detail: '', line: index + 1 }));
  const empty = written.find(({ text }) => text === '');
  if (empty) throw unusable(empty.line, 'an id without text');
  const assigned = assignCriterionIds(written, []);
  if (!assigned.ok) {
    const { line, why, repeats } = assigned;
    throw unusable(line, repeats ? `${repeats.what} is already criterion ${repeats.line}` : why);
  }
  return assigned.criteria.map(({ id, text }) => `- [ ] ${id}: ${text}\n`).join('');
}

function unusable(number: number, why: string): GuardKitError {
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `Criterion ${number}: ${why}.`,
    hint: 'Give each --criterion its own text and id. Nothing was written.',
  });
}

/**
 * Unquoted if YAML reads it as text, since formatters disagree about quotes and a project's tests may check its files. A
 * JSON string is also a YAML string.
 */
function scalar(text: string): string {
  const isPlain = /^\p{L}[\p{L}\p{N}._()/+'-]*(?: [\p{L}\p{N}._()/+'-]+)*$/u.test(text);
  return isPlain && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);
}

function list(texts: readonly string[]): string {
  return `[${texts.map(scalar).join(', ')}]`;
}
