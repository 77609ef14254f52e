import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DetectedVerify } from '../../config/project/detect-verify.ts';
import type { ProjectConfig } from '../../config/project/project-config.ts';
import { readProjectConfig } from '../../config/project/project-config.ts';
import type { CheckConfig, VerifyConfig } from '../../config/project/verify-config.ts';
import type { StoreSettings } from '../../config/project/workspace.ts';
import { type FoundWork, findWork } from '../../config/work/find-work.ts';
import { decodeWork, readWork } from '../../config/work/read-work.ts';
import type { Work } from '../../config/work/work.ts';
import { requireValid } from '../../config/yaml/yaml-file.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { canonicalJson, sha256 } from '../../domain/json/json.ts';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { shellWord } from '../../platform/processes/shell-word.ts';
import { loadRuleSources, type Memory, type RuleSources } from '../../rules/load-rule-sources.ts';
import {
  knownTaskTypes,
  type ResolvedQualityGates,
  resolveQualityGates,
} from '../../rules/resolve-quality-gates.ts';
import type { GateRules } from '../facts.ts';
import type { Acceptances } from './acceptances.ts';
import { detectOnCommit } from './detect-on-commit.ts';
import { type DefinitionDifference, exportDefinitions } from './export-definitions.ts';
import type { Base } from './find-base.ts';
import { mergeListedFeatures } from './merge-listed-features.ts';
import { withoutExceptions } from './without-exceptions.ts';

/** How a verification is made: read from the base, so that a candidate cannot change how it is judged. */
export interface Definition extends FoundWork {
  config: ProjectConfig;
  /** Undefined if the base names no command. */
  verify: VerifyConfig | undefined;
  /** Detected commands that a person may confirm instead. */
  detected: DetectedVerify | undefined;
  rules: TaskRules;
  /** The rules of the base. */
  sources: RuleSources;
  differences: DefinitionDifference[];
  memory: Memory;
}

export interface DefinitionRequest {
  repository: Repository;
  base: Base;
  /** The id of a feature or a task. */
  id: string;
  acceptances: Acceptances;
  store: StoreSettings;
  /** The feature with this id in the ledger, for one that only the list defines. */
  listed?: Feature | undefined;
  /** All ids of the feature list, for suggestions on a typo. */
  listedIds?: readonly string[];
  /** Work that the base does not define, judged by the base's rules (default: found on the base by its id). */
  work?: FoundWork | undefined;
}

export async function loadDefinition(request: DefinitionRequest): Promise<Definition> {
  const { addsFrom, ...base } = request.base;
  try {
    return await loadFrom({ ...request, base });
  } catch (error) {
    // What the branch adds has no effect on work that the base defines.
    if (!addsFrom || !(error instanceof GuardKitError) || error.code !== 'work.unknown') throw error;
    return loadFrom(request);
  }
}

async function loadFrom(request: DefinitionRequest): Promise<Definition> {
  const { repository, base, acceptances, store, listed } = request;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-base-')));
  try {
    const exported = await exportDefinitions(repository, base, acceptances, folder);
    const config = requireValid(await readProjectConfig(folder));
    const sources = await loadRuleSources(folder, store);
    const work = await decodeWork(exported.work, { taskTypes: knownTaskTypes(sources) });
    const found = requireSound(
      request.work ?? (await findOnBase(request, mergeListedFeatures(work, listed ? [listed] : []))),
    );
    const layers = [config.verify, found.feature.verify, ...found.tasks.map(({ verify }) => verify)];
    const verify = layers.some((layer) => layer !== undefined) ? mergeVerify(layers) : undefined;
    return {
      ...found,
      config,
      verify,
      detected: verify?.tests ? undefined : await detectOnCommit(repository, base.commit),
      rules: withoutOwnEase(gateRules(sources, found, verify), base, verify),
      sources,
      differences: exported.differences,
      memory: sources.memory,
    };
  } catch (error) {
    throw onTheBase(error, folder, base);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function findOnBase(request: DefinitionRequest, onBase: Work): Promise<FoundWork> {
  const { repository, base, id, listedIds: listed = [] } = request;
  try {
    const found = findWork(onBase, id);
    return base.addsFrom && !base.addsFrom.isPersons ? withoutExceptions(found) : found;
  } catch (error) {
    if (!(error instanceof GuardKitError) || error.code !== 'work.unknown') throw error;
    throw await unknownOnBase({ id, base, onBase, repository, listed });
  }
}

/** A hash of everything that decides how work is judged. */
export function definitionHash({
  verify,
  rules,
  tasks,
  config: { architecture },
}: Pick<Definition, 'verify' | 'rules' | 'tasks' | 'config'>): string {
  const criteria = tasks.map((task) => [task.id, task.criteria.map(({ id, text }) => [id ?? null, text])]);
  return sha256(
    canonicalJson({
      verify: verify ?? null,
      rules: rules.gates,
      criteria,
      ...(architecture && { architecture }),
    }),
  );
}

function requireSound(found: FoundWork): FoundWork {
  const [fault] = found.faults;
  if (!fault) return found;
  throw new GuardKitError({
    code: 'work.invalid',
    kind: 'input',
    message: found.faults
      .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
      .join('\n'),
    hint: 'Fix these lines; `guardkit feature validate` lists every error.',
  });
}

/** Reports faults of the base's files by the paths a person knows, with a hint. */
function onTheBase(error: unknown, folder: string, base: Base): unknown {
  if (!(error instanceof GuardKitError) || error.code === 'work.unknown') return error;
  const { code, kind, cause } = error;
  const where = `the base ${base.commit.slice(0, 10)} (${base.why})`;
  const message = error.message.replaceAll(`${folder}/`, '');
  if (kind !== 'input') return error;
  const hint = 'Fix the file and commit it, or accept the fixed file with `guardkit accept`.';
  return new GuardKitError({ code, kind, message: `On ${where}:\n${message}`, hint, cause });
}

interface TaskRules extends GateRules {
  /** The rules of each task, with their origins. */
  gates: readonly ResolvedQualityGates[];
}

/** The strictest rules of all tasks: a feature is not done with its easiest part. */
function gateRules(
  sources: RuleSources,
  { feature, tasks }: FoundWork,
  verify: VerifyConfig | undefined,
): TaskRules {
  const gates = tasks.map(({ task_type, complexity }) => resolveQualityGates(sources, task_type, complexity));
  const any = (field: 'tests_required' | 'tests_must_pass' | 'coverage_required') =>
    gates.some(({ values }) => values[field].value);
  const thresholds = gates.filter(({ values }) => values.coverage_required.value);
  return {
    taskTypes: [...new Set(tasks.map(({ task_type }) => task_type))],
    testsRequired: any('tests_required'),
    testsMustPass: any('tests_must_pass'),
    coverageRequired: any('coverage_required'),
    coverageThreshold: Math.max(0, ...thresholds.map(({ values }) => values.coverage_threshold.value)),
    coverageScope: verify?.coverage?.scope ?? 'changed',
    ui: tasks.some(({ ui }) => ui ?? feature.ui),
    testsMayPassOnBase: joined(tasks.map((task) => task.tests_may_pass_on_base)),
    removesTests: joined(tasks.map((task) => task.removes_tests)),
    changesTests: joined(tasks.map((task) => task.changes_tests)),
    criteria: tasks.flatMap(({ criteria }) => criteria.map(({ text, detail }) => `${text} ${detail}`)),
    gates,
  };
}

/** Work that a branch defines for itself: its type must not excuse failing tests, nor its criteria declare changed ones. */
function withoutOwnEase(rules: TaskRules, { addsFrom }: Base, verify: VerifyConfig | undefined): TaskRules {
  if (!addsFrom || addsFrom.isPersons) return rules;
  return { ...rules, testsMustPass: rules.testsMustPass || verify?.tests !== undefined, criteria: [] };
}

function joined(lists: readonly (true | readonly string[])[]): true | readonly string[] {
  return lists.includes(true) ? true : lists.flatMap((list) => (list === true ? [] : list));
}

/** A later, narrower definition adds to an earlier one and overrides the same keys. */
function mergeVerify(layers: readonly (VerifyConfig | undefined)[]): VerifyConfig {
  return layers.reduce<VerifyConfig>((merged, layer) => (layer ? overlay(merged, layer) : merged), {});
}

function overlay(below: VerifyConfig, above: VerifyConfig): VerifyConfig {
  const checks = mergeChecks(below.checks ?? [], above.checks ?? []);
  const env = { ...below.env, ...above.env };
  const passed = [...new Set([...(below.pass_env ?? []), ...(above.pass_env ?? [])])];
  const coverage = { ...below.coverage, ...above.coverage };
  return {
    ...below,
    ...above,
    ...(below.env || above.env ? { env } : {}),
    ...(passed.length > 0 ? { pass_env: passed } : {}),
    ...(below.coverage || above.coverage ? { coverage } : {}),
    ...(checks.length > 0 ? { checks } : {}),
  };
}

function mergeChecks(below: readonly CheckConfig[], above: readonly CheckConfig[]): CheckConfig[] {
  const named = new Map([...below, ...above].map((check) => [check.name, check]));
  return [...named.values()];
}

interface Asked {
  id: string;
  base: Base;
  /** The work on the base. */
  onBase: Work | undefined;
  /** Its checkout may have more than the base. */
  repository: Repository;
  /** Ids in the feature list. */
  listed: readonly string[];
}

/** The error for a feature or task that the base lacks: where the checkout has it, and how to get it to the base. */
async function unknownOnBase(asked: Asked): Promise<GuardKitError> {
  const { id, base, onBase, repository, listed } = asked;
  const where = `the base ${base.commit.slice(0, 10)} (${base.why})`;
  const shown = id.slice(0, 80);
  const here = await readWork(repository.root);
  const files = filesOf(here, id);
  if (files.length > 0) {
    const accept = `\`guardkit accept ${shellWord(files[0] ?? '')}\``;
    return unknown(
      `No feature or task ${shown} on ${where}; this checkout has it in ${files.join(', ')}.`,
      (await isCommitted(repository, files))
        ? `It is committed, but GuardKit cannot tell that a person made it, and no agent may define its own work. If you want it, run ${accept} in your own terminal.`
        : `Definitions are read from commits, so that no agent changes its own rules. Commit it: \`git add ${files.map(shellWord).join(' ')} && git commit\`; or accept it uncommitted: ${accept}.`,
    );
  }
  if (listed.includes(id))
    return unknown(
      `${shown} is known from earlier work, but neither ${where} nor this checkout has its file: it is on another branch, or was deleted.`,
      `Work on a branch that has its file: \`git log --all --oneline -- .guardkit/features tasks\` lists the commits that add such files.`,
    );
  const known = new Set([...idsOf(onBase), ...idsOf(here), ...listed]);
  const near = nearestWord(id, [...known]);
  return unknown(
    `No feature or task ${shown} on ${where}, in this checkout or in the feature list.${didYouMean(near)}`,
    known.size === 0
      ? `Add the first one with \`${id.startsWith('TASK-') ? 'guardkit task create "TITLE"' : 'guardkit feature add "TEXT"'}\`.`
      : '`guardkit feature list` and `guardkit task list` list them.',
  );
}

async function isCommitted(repository: Repository, files: readonly string[]): Promise<boolean> {
  const listed = await repository.attempt(['ls-tree', '-z', '--name-only', 'HEAD', '--', ...files]);
  return listed.stdout.split('\0').filter((path) => path !== '').length === files.length;
}

const MOST_FILES = 10;

function filesOf({ tasks, features }: Work, id: string): string[] {
  const task = tasks.find((one) => one.id === id);
  const feature = features.find((one) => one.id === id);
  return [...new Set(task ? [task.path] : (feature?.files ?? []))].slice(0, MOST_FILES);
}

function idsOf(work: Work | undefined): string[] {
  return work ? [...work.features, ...work.tasks].map(({ id }) => id) : [];
}

function unknown(message: string, hint: string): GuardKitError {
  return new GuardKitError({ code: 'work.unknown', kind: 'input', message, hint });
}
