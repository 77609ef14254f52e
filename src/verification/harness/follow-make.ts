import { posix } from 'node:path';
import { type HarnessWalk, harnessPart, under, unfollowedPart, WHOLE_FILE } from './harness-part.ts';
import { type Makefile, readMakefile } from './read-makefile.ts';

/** In make's search order; adding an earlier one replaces the others. */
const NAMES = ['GNUmakefile', 'makefile', 'Makefile'];
const VALUE_OPTIONS = new Set([
  '-f',
  '--file',
  '--makefile',
  '-C',
  '--directory',
  '-j',
  '-l',
  '-o',
  '-W',
  '-I',
]);
const MAX_STEPS = 2000;

/** Follows `make target` into the target's recipe, its prerequisites, and the variables and files that these use. */
export async function followMake(walk: HarnessWalk, words: readonly string[], start: string): Promise<void> {
  let folder = start;
  let chosen: string | undefined;
  const goals: string[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [option = '', inline] = word.startsWith('--') ? word.split('=', 2) : [word];
    if (VALUE_OPTIONS.has(option)) {
      // The number of jobs is optional.
      if (option === '-j' && !/^\d+$/.test(words[at + 1] ?? '')) continue;
      const value = inline ?? words[++at] ?? '';
      if (option === '-C' || option === '--directory') folder = under(folder, value);
      else if (['-f', '--file', '--makefile'].includes(option)) chosen = value;
    } else if (!word.startsWith('-') && !word.includes('=')) goals.push(word);
  }
  const path = await makefilePath(walk, folder, chosen);
  if (path === undefined) return;
  const text = await walk.reader.readText(path);
  if (text === undefined) return walk.addFile(path, 0);
  const file = await withIncludes(walk, readMakefile(text), folder, path);
  const first = file.rules.flatMap((rule) => rule.targets).find((target) => !/^\.[^/]|%/.test(target));
  for (const goal of goals.length > 0 ? goals : [first ?? '']) {
    if (goal === '' || !walk.begin(`make ${path} ${goal}`)) continue;
    await followTarget(walk, file, path, goal, folder);
  }
}

async function followTarget(
  walk: HarnessWalk,
  file: Makefile,
  path: string,
  goal: string,
  folder: string,
): Promise<void> {
  const texts: string[] = [];
  const recipes: string[] = [];
  const pending = [goal, '.DEFAULT', '.IGNORE', '.ONESHELL', '.POSIX'];
  const seen = new Set<string>();
  let unsure = file.dynamic;
  for (let target = pending.pop(); target !== undefined; target = pending.pop()) {
    if (seen.has(target) || seen.size > MAX_STEPS) continue;
    seen.add(target);
    const rules = file.rules.filter((rule) => rule.targets.includes(target));
    for (const rule of rules) {
      texts.push(rule.text);
      recipes.push(...rule.recipe);
      // A prerequisite may come from a variable, or set one for this target only.
      pending.push(...expand(rule.prerequisites.join(' '), file).split(/\s+/));
    }
    // It may be made by a pattern, or named by a variable that is a target.
    if (rules.length === 0 && file.rules.some((rule) => rule.targets.some((one) => /[%$]/.test(one))))
      unsure ||= !target.startsWith('.');
  }
  if (unsure) {
    walk.add(unfollowedPart(path, 'it generates rules while it is read'));
    walk.add(harnessPart(path, WHOLE_FILE, (await walk.reader.readText(path)) ?? ''));
  }
  walk.add(harnessPart(path, `target ${goal}`, texts.join('\n')));
  const used = usedVariables(texts.join('\n'), file);
  if (used.length > 0) walk.add(harnessPart(path, `variables of ${goal}`, used.join('\n')));
  if (file.directives.length > 0) walk.add(harnessPart(path, 'directives', file.directives.join('\n')));
  for (const line of recipes) {
    const command = expand(line.replace(/^[@+\-\s]+/, ''), file).replaceAll('$$', '$');
    await walk.follow(command, folder);
  }
}

async function withIncludes(
  walk: HarnessWalk,
  file: Makefile,
  folder: string,
  path: string,
): Promise<Makefile> {
  const { files } = await walk.reader.list();
  const merged: Makefile = {
    ...file,
    rules: [...file.rules],
    directives: [...file.directives],
    variables: new Map(file.variables),
  };
  for (const name of file.includes) {
    if (/[$*?]/.test(name)) {
      walk.add(unfollowedPart(path, 'an included file is not named'));
      for (const one of files.filter((one) => one.endsWith('.mk'))) await walk.addFile(one, 0);
      continue;
    }
    const included = under(folder, name);
    await walk.addFile(included, 0);
    const inner = readMakefile((await walk.reader.readText(included)) ?? '');
    merged.rules.push(...inner.rules);
    merged.directives.push(...inner.directives);
    merged.dynamic ||= inner.dynamic || inner.includes.length > 0;
    for (const [variable, lines] of inner.variables)
      merged.variables.set(variable, [...(merged.variables.get(variable) ?? []), ...lines]);
  }
  return merged;
}

async function makefilePath(
  walk: HarnessWalk,
  folder: string,
  chosen: string | undefined,
): Promise<string | undefined> {
  for (const name of chosen === undefined ? NAMES : [chosen]) {
    const path = under(folder, name);
    if ((await walk.reader.read(path)) !== undefined) return posix.normalize(path);
  }
  return undefined;
}

const REFERENCE = /\$[({]([\w.-]+)[)}:]/g;

/** The lines that set the variables of a text, in file order: the last one wins. */
function usedVariables(text: string, file: Makefile): string[] {
  const seen = new Set<string>();
  const pending = [text];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const match of next.matchAll(REFERENCE)) {
      const name = match[1] ?? '';
      if (seen.has(name) || seen.size > MAX_STEPS) continue;
      seen.add(name);
      pending.push(...(file.variables.get(name) ?? []));
    }
  }
  return [...file.variables].flatMap(([name, lines]) => (seen.has(name) ? lines : []));
}

/** Expands variables that are set once; three rounds are enough in practice. */
function expand(text: string, file: Makefile): string {
  let result = text;
  let room = 100_000;
  for (let round = 0; round < 3 && result.includes('$'); round += 1) {
    result = result.replace(REFERENCE, (whole, name: string) => {
      const lines = file.variables.get(name);
      if (name === 'MAKE' && lines === undefined) return 'make';
      if (whole.endsWith(':') || lines?.length !== 1) return whole;
      const value = (lines[0] ?? '').replace(/^[^=]*=\s*/, '');
      room -= value.length;
      return room < 0 ? whole : value;
    });
  }
  return result;
}
