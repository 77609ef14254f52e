import type {
  GateField,
  GateOverride,
  GateProfile,
  GateValues,
  Located,
  LocatedGateValues,
} from '../config/rule-files/project-rules.ts';
import { GATE_FIELDS } from '../config/rule-files/project-rules.ts';
import { type ComplexityRange, MAX_COMPLEXITY, MIN_COMPLEXITY } from '../domain/complexity.ts';
import {
  BORROWING_TASK_TYPES,
  DEFAULT_QUALITY_GATE_CONFIGS,
  EFFECTIVE_FROM,
  profileTaskType,
  type QualityGateConfig,
} from '../domain/entities/quality-gate-config.ts';
import { didYouMean, nearestWord } from '../domain/nearest-word.ts';
import { GuardKitError } from '../guardkit-error.ts';
import type { RuleSources } from './load-rule-sources.ts';
import { BUILT_IN, overlay, type Sourced, SYSTEM } from './sourced.ts';

export interface ResolvedQualityGates {
  /** As requested. */
  task_type: string;
  /** The type whose profile applies; bugfix and refactor borrow another's. */
  profile_type: string;
  complexity: number;
  complexity_range: Located<ComplexityRange>;
  values: { [Field in GateField]: Sourced<GateValues[Field]> };
}

/** The quality gates for a task; exactly one profile applies to each type and complexity. */
export function resolveQualityGates(
  sources: RuleSources,
  taskType: string,
  complexity: number,
): ResolvedQualityGates {
  const profileType = requireProfileType(sources, taskType, complexity);
  const here = covering(profileType, complexity);
  const builtIn = narrowest(DEFAULT_QUALITY_GATE_CONFIGS.filter(here));
  const system = narrowest(sources.system.gates.filter(here));
  const project = narrowest(sources.gates.filter(here));
  const override = sources.gateOverrides.filter(here);
  const layers: (LocatedGateValues | undefined)[] = [
    { effective_from: { value: EFFECTIVE_FROM, origin: BUILT_IN } },
    builtIn && stored(builtIn, BUILT_IN),
    system && stored(system, SYSTEM),
    project?.values,
    ...override.map(({ values }) => values),
  ];
  const range = overlay([
    builtIn && { value: builtIn.complexity_range, origin: BUILT_IN },
    system && { value: system.complexity_range, origin: SYSTEM },
    project && { value: project.complexity_range, origin: project.origin },
  ]);
  if (!range) throw noProfile(profileType, complexity);
  const pick = <Field extends GateField>(field: Field): Sourced<GateValues[Field]> => {
    const found = overlay(layers.map((layer) => layer?.[field]));
    if (!found) throw incomplete(profileType, complexity, field);
    return found;
  };
  return {
    task_type: taskType,
    profile_type: profileType,
    complexity,
    // A copy, so that a caller cannot change the defaults.
    complexity_range: { value: [...range.value], origin: range.origin },
    values: {
      arch_review_required: pick('arch_review_required'),
      arch_review_threshold: pick('arch_review_threshold'),
      coverage_required: pick('coverage_required'),
      coverage_threshold: pick('coverage_threshold'),
      tests_required: pick('tests_required'),
      tests_must_pass: pick('tests_must_pass'),
      effective_from: pick('effective_from'),
    },
  };
}

/** The type whose profile applies to a task; throws for an unknown type or complexity. */
export function requireProfileType(sources: RuleSources, taskType: string, complexity: number): string {
  assertComplexity(complexity);
  const profileType = profileTaskType(taskType);
  assertKnownType(sources, taskType, profileType);
  return profileType;
}

/** Task types with a profile of their own or a borrowed one. */
export function knownTaskTypes(sources: RuleSources): string[] {
  const profiles = [...DEFAULT_QUALITY_GATE_CONFIGS, ...sources.system.gates, ...sources.gates];
  return [...new Set([...profiles.map(({ task_type }) => task_type), ...BORROWING_TASK_TYPES])].sort();
}

type Ranged = Pick<GateProfile | GateOverride | QualityGateConfig, 'task_type' | 'complexity_range'>;

function covering(taskType: string, complexity: number) {
  return ({ task_type, complexity_range: [low, high] }: Ranged) =>
    task_type === taskType && low <= complexity && complexity <= high;
}

/** Profiles in files cannot overlap; stored ones can, if a person added a wider one. */
function narrowest<Profile extends Ranged>(profiles: readonly Profile[]): Profile | undefined {
  const width = ({ complexity_range: [low, high] }: Profile) => high - low;
  return [...profiles].sort((a, b) => width(a) - width(b))[0];
}

function stored(config: QualityGateConfig, origin: string): LocatedGateValues {
  return Object.fromEntries(GATE_FIELDS.map((field) => [field, { value: config[field], origin }]));
}

function assertComplexity(complexity: number): void {
  if (Number.isInteger(complexity) && complexity >= MIN_COMPLEXITY && complexity <= MAX_COMPLEXITY) return;
  throw new GuardKitError({
    code: 'complexity.range',
    kind: 'input',
    message: `Invalid complexity: ${complexity}.`,
    hint: `Use a whole number from ${MIN_COMPLEXITY} to ${MAX_COMPLEXITY}.`,
  });
}

function assertKnownType(sources: RuleSources, taskType: string, profileType: string): void {
  const known = knownTaskTypes(sources);
  if (known.includes(profileType)) return;
  const meant = nearestWord(taskType, known);
  throw new GuardKitError({
    code: 'task-type.unknown',
    kind: 'input',
    message: `Unknown task type "${taskType.slice(0, 60)}".${didYouMean(meant)}`,
    hint: `Task types: ${known.join(', ')}. Add more in .guardkit/config/quality-gates.yaml.`,
  });
}

function noProfile(taskType: string, complexity: number): GuardKitError {
  return new GuardKitError({
    code: 'gates.no-profile',
    kind: 'input',
    message: `No quality gates for ${taskType} at complexity ${complexity}.`,
    hint: `Add a profile whose complexity_range includes ${complexity} to .guardkit/config/quality-gates.yaml.`,
  });
}

function incomplete(taskType: string, complexity: number, field: string): GuardKitError {
  return new GuardKitError({
    code: 'gates.incomplete',
    kind: 'input',
    message: `The quality gates for ${taskType} at complexity ${complexity} lack ${field}.`,
    hint: `Add ${field} to that profile in .guardkit/config/quality-gates.yaml.`,
  });
}
