import type { GuardDefinition, GuardedKind } from '../config/guard-files/guard-file.ts';
import { readFeatureList } from '../domain/feature-list/feature-list.ts';
import { bareAgentType } from '../domain/feature-list/list-rights.ts';
import { own } from '../domain/json/plain-shape.ts';
import { fitsGlob, globMatcher } from '../domain/protection/fits-glob.ts';
import { pathGlobMatcher } from '../domain/protection/protected-paths.ts';
import type { Action, ActionKind, Actor } from './action.ts';
import type { Invocation } from './command/command-analysis.ts';
import { gitCall } from './git-call.ts';
import type { Guard, GuardFacts } from './guard.ts';

/** A definition with its matchers, compiled once because a guard judges every action. */
interface CompiledDefinition {
  definition: GuardDefinition;
  fitsPaths: ((path: string) => boolean) | undefined;
  fitCommands: ((invocation: Invocation) => boolean)[] | undefined;
}

/** Compiles a project's guard definition. */
export function compileGuard(definition: GuardDefinition): Guard {
  const { id, summary, mode, sessions, decision, reason, guidance, expires, requires } = definition;
  const kinds = judgedKinds(definition);
  const compiled: CompiledDefinition = {
    definition,
    fitsPaths: pathsMatcher(definition),
    fitCommands: definition.commands?.map(commandMatcher),
  };
  return {
    id,
    summary,
    origin: 'project',
    mode,
    drivenOnly: sessions === 'driven',
    kinds: actionKinds(kinds, definition),
    expires: expires === undefined ? undefined : endOf(expires),
    judge(action, facts) {
      if (!concernsActor(action.actor, definition) || !concernsAction(action, kinds, compiled, facts))
        return undefined;
      if (requires === undefined) return { decision, reason, guidance };
      const seen = facts.evidence(requires);
      if (seen === 'pass') return undefined;
      return { decision, reason: `${reason} ${MISSING[requires][seen]}`, guidance };
    },
  };
}

const MISSING = {
  tests: {
    fail: 'The tests failed on the current files.',
    absent: 'GuardKit has not seen the tests pass on the current files.',
  },
  verified: {
    fail: 'The feature failed verification on the current files.',
    absent: 'GuardKit has not verified the feature on the current files.',
  },
};

/** A date without a time expires at the end of that day. */
function endOf(expires: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(expires)) return expires;
  return new Date(Date.parse(`${expires}T00:00:00Z`) + 24 * 60 * 60 * 1000).toISOString();
}

/** The kinds of action, from the definition or implied by its other fields. */
function judgedKinds({ kinds, paths, commands, tools, fields }: GuardDefinition): ReadonlySet<GuardedKind> {
  if (kinds) return new Set(kinds);
  const implied: GuardedKind[] = [];
  if (paths ?? fields) implied.push('edit');
  if (commands) implied.push('command');
  if (tools) implied.push('tool');
  return new Set(implied);
}

/** Adds commands for guards with paths, since commands read and edit files too. */
function actionKinds(kinds: ReadonlySet<GuardedKind>, { paths }: GuardDefinition): ActionKind[] {
  const wanted = new Set<ActionKind>(kinds);
  if (paths && (kinds.has('read') || kinds.has('edit'))) wanted.add('command');
  return [...wanted];
}

function concernsActor({ type }: Actor, { agents }: GuardDefinition): boolean {
  if (!agents) return true;
  const bare = type === undefined ? 'main' : bareAgentType(type);
  return agents.some((agent) => agent === type || bareAgentType(agent) === bare);
}

function concernsAction(
  action: Action,
  kinds: ReadonlySet<GuardedKind>,
  { definition, fitsPaths, fitCommands }: CompiledDefinition,
  facts: GuardFacts,
): boolean {
  const { tools, fields } = definition;
  if (fitsPaths && touches(action, kinds, fitsPaths)) return true;
  if (action.kind === 'settings' || !kinds.has(action.kind)) return false;
  if (action.kind === 'command' && fitCommands)
    return action.analysis.invocations.some((one) => fitCommands.some((fits) => fits(one)));
  if (action.kind === 'tool' && tools) return tools.some((glob) => fitsGlob(action.name, glob));
  if (action.kind === 'edit' && fields) return changesField(action, fields, facts);
  // True if the definition has no condition for this kind.
  return !SPECIFIC[action.kind].some((key) => definition[key] !== undefined);
}

const SPECIFIC: Record<GuardedKind, readonly (keyof GuardDefinition)[]> = {
  read: ['paths'],
  edit: ['paths', 'fields'],
  command: ['paths', 'commands'],
  tool: ['tools'],
  spawn: [],
  stop: [],
};

interface TouchedPath {
  kind: 'read' | 'edit';
  path: string;
}

/** Cached, since every guard with paths needs them. */
const touched = new WeakMap<Action, readonly TouchedPath[]>();

/** Whether an action reads or edits a matching path, in a kind that the guard covers. */
function touches(action: Action, kinds: ReadonlySet<GuardedKind>, fits: (path: string) => boolean): boolean {
  let paths = touched.get(action);
  if (!paths) {
    paths = touchedPaths(action);
    touched.set(action, paths);
  }
  return paths.some(({ kind, path }) => kinds.has(kind) && fits(path));
}

/** Paths in the project that an action reads or edits. */
function touchedPaths(action: Action): TouchedPath[] {
  const paths: TouchedPath[] = [];
  const add = (kind: TouchedPath['kind'], { inProject }: { inProject: string | undefined }) => {
    if (inProject !== undefined) paths.push({ kind, path: inProject.slice(0, MAX_PATH) });
  };
  if (action.kind === 'read') for (const file of action.files) add('read', file);
  if (action.kind === 'edit') for (const { file } of action.files) add('edit', file);
  if (action.kind === 'command') {
    for (const { file, mode } of action.reaches)
      if (mode !== 'mention') add(mode === 'read' ? 'read' : 'edit', file);
  }
  return paths;
}

const MAX_PATH = 1000;

function pathsMatcher({ paths, except = [] }: GuardDefinition): ((path: string) => boolean) | undefined {
  if (!paths) return undefined;
  const wanted = paths.map(pathGlobMatcher);
  const spared = except.map(pathGlobMatcher);
  return (path) => wanted.some((fits) => fits(path)) && !spared.some((fits) => fits(path));
}

function changesField(
  { files }: Extract<Action, { kind: 'edit' }>,
  fields: NonNullable<GuardDefinition['fields']>,
  facts: GuardFacts,
): boolean {
  const list = files.find(({ file }) => file.protectedAs === 'feature-list');
  const reading = list?.after === undefined ? undefined : readFeatureList(list.after);
  if (!reading?.ok) return false;
  const known = new Map(facts.features().map((feature) => [feature.id, feature]));
  return reading.list.features.some(({ id, values }) =>
    fields.some(({ field, to }) => {
      const now = own(values, field);
      const feature = known.get(id);
      const was = feature && own(feature, field);
      if (now === undefined || JSON.stringify(now) === JSON.stringify(was)) return false;
      return to === undefined || now === to || String(now) === String(to);
    }),
  );
}

type CommandShape = NonNullable<GuardDefinition['commands']>[number];

/** Globs match names, and longer words are not names. */
const MAX_WORD = 1000;

/** Matches the invocations that a guard describes. */
function commandMatcher({
  program,
  subcommand,
  options,
  args,
}: CommandShape): (invocation: Invocation) => boolean {
  const fitsProgram = wordMatcher(program);
  const fitsSubcommand = subcommand === undefined ? undefined : wordMatcher(subcommand);
  const fitOptions = options?.map(optionMatcher);
  const fitArgs = args?.map(wordMatcher);
  return (invocation) => {
    if (!fitsProgram(invocation.program)) return false;
    const words = gitCall(invocation) ? afterGlobalOptions(invocation) : invocation.argv.slice(1);
    const plain = words.filter((word) => !word.startsWith('-'));
    if (fitsSubcommand && !fitsSubcommand(plain[0] ?? '')) return false;
    if (fitOptions && !fitOptions.some((fits) => words.some(fits))) return false;
    const others = fitsSubcommand ? plain.slice(1) : plain;
    return fitArgs === undefined || fitArgs.every((fits) => others.some((word) => fits(word)));
  };
}

function afterGlobalOptions(invocation: Invocation): readonly string[] {
  const call = gitCall(invocation);
  return call ? [call.subcommand, ...call.args] : [];
}

/** `-f` also matches `-uf`, and `--force` also matches `--force=yes`. */
function optionMatcher(option: string): (word: string) => boolean {
  const fits = wordMatcher(option);
  const isLetter = /^-[A-Za-z]$/.test(option);
  return (word) => {
    if (!word.startsWith('-')) return false;
    if (fits(word) || fits(word.split('=')[0] ?? word)) return true;
    return isLetter && /^-[A-Za-z]{2,}$/.test(word) && word.includes(option.slice(1), 1);
  };
}

/** `*` also matches slashes in a word. */
function wordMatcher(glob: string): (word: string) => boolean {
  const fits = globMatcher(glob.replaceAll('/', '\u0001'));
  return (word) => fits(word.slice(0, MAX_WORD).replaceAll('/', '\u0001'));
}
