import { type ConfigSection, readIniSections, readTomlSections } from './config-sections.ts';
import { type HarnessWalk, harnessPart, under } from './harness-part.ts';
import { topLevelStatements } from './python-hooks.ts';
import { runnersIn } from './runner-configs.ts';

/** Programs that run the commands of a named environment, session or task. */
export const PYTHON_LAUNCHERS = new Set(['tox', 'nox', 'hatch', 'poe', 'pdm', 'pipenv', 'task', 'taskipy']);

/** An environment's dependencies and description do not affect the tests. */
const NOT_JUDGING =
  /^(?:deps|description|extras|dependency_groups|dependencies|constrain_package_deps|labels)$/;
const COMMAND_KEY = /(?:^|\.)(?:commands|commands_pre|commands_post|(?:pre|post)-install-commands)$/;
const MAX_ENVIRONMENTS = 200;

/** Follows `tox -e py`, `nox -s tests`, `hatch run test:cov` and `poe test` into what they name, and no further. */
export async function followPythonLauncher(
  walk: HarnessWalk,
  words: readonly string[],
  folder: string,
): Promise<void> {
  const [program = ''] = words;
  if (!walk.begin(`launcher ${folder} ${words.join(' ')}`)) return;
  if (program === 'tox') await followTox(walk, words, folder);
  else if (program === 'nox') await followNox(walk, words, folder);
  else if (program === 'hatch') await followHatch(walk, words, folder);
  else await followTasks(walk, words, folder);
}

async function followTox(walk: HarnessWalk, words: readonly string[], folder: string): Promise<void> {
  const chosen = optionValues(words, ['-e', '--env']).flatMap((value) => value.split(','));
  for (const name of ['tox.ini', 'setup.cfg']) {
    const path = under(folder, name);
    const sections = readIniSections((await walk.reader.readText(path)) ?? '');
    const main = sections.find((one) => one.name === 'tox' || one.name === 'tox:tox');
    const listed = valuesOf(main, /^env_?list$/);
    const wanted = chosen.length > 0 ? chosen : listed.flatMap(expandBraces);
    const isWanted = (section: string) => {
      if (section === 'tox' || section === 'tox:tox' || section === 'testenv') return true;
      if (!section.startsWith('testenv:')) return false;
      // Without a list every environment may run.
      return wanted.length === 0 || expandBraces(section.slice(8)).some((one) => wanted.includes(one));
    };
    const names = withReferences(sections, isWanted);
    for (const section of sections.filter((one) => names.has(one.name)))
      await addSection(walk, path, section, folder);
  }
  for (const [name, prefix] of [
    ['pyproject.toml', 'tool.tox'],
    ['tox.toml', ''],
  ] as const) {
    const path = under(folder, name);
    const sections = readTomlSections((await walk.reader.readText(path)) ?? '');
    const start = prefix === '' ? '' : `${prefix}.`;
    for (const section of sections) {
      if (!(section.name === prefix || section.name.startsWith(start)) || section.entries.length === 0)
        continue;
      const environment = /^(?:tool\.tox\.)?env\.([^.]+)/.exec(section.name)?.[1];
      if (environment === undefined || chosen.length === 0 || chosen.includes(environment))
        await addSection(walk, path, section, folder);
    }
  }
}

/** Sections that others refer to as `{[section]key}`. */
function withReferences(
  sections: readonly ConfigSection[],
  isWanted: (name: string) => boolean,
): ReadonlySet<string> {
  const names = new Set(sections.map(({ name }) => name).filter(isWanted));
  for (const name of names)
    for (const { entries } of sections.filter((one) => one.name === name))
      for (const { text } of entries)
        for (const match of text.matchAll(/\{\[([^\]]{1,100})\]/g)) names.add(match[1] ?? '');
  return names;
}

async function addSection(
  walk: HarnessWalk,
  path: string,
  { name, entries }: ConfigSection,
  folder: string,
): Promise<void> {
  const judging = entries.filter(({ key }) => !NOT_JUDGING.test(key.slice(key.lastIndexOf('.') + 1)));
  walk.add(harnessPart(path, `[${name}]`, judging.map(({ text }) => text).join('\n')));
  for (const { key, text } of judging) {
    if (!name.endsWith('scripts') && !COMMAND_KEY.test(key)) continue;
    const value = text.slice(text.search(/[=:]/) + 1);
    for (const line of commandLines(value)) await walk.follow(line, folder);
  }
}

/** The commands in a value of tox, hatch or a task runner: a string, lines or a list of words. */
function commandLines(value: string): string[] {
  const plain = value
    .replace(/\{posargs[^}]*\}|\{args[^}]*\}|\{opts\}/g, '')
    .replace(/\{envpython\}|\{env_python\}/g, 'python')
    .replace(/\{toxinidir\}|\{tox_root\}|\{root\}/g, '.');
  if (!/^\s*[["'{]/.test(plain)) return plain.split('\n').map((line) => line.trim().replace(/^-\s*/, ''));
  return plain
    .replace(/\]\s*,?\s*\[/g, '\n')
    .split('\n')
    .map((line) => line.replace(/["'[\]{},]+/g, ' ').trim());
}

function expandBraces(text: string): string[] {
  const match = /\{([^{}]*)\}/.exec(text);
  if (match === null) return text.split(/[\s,]+/).filter((one) => one !== '');
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)];
  return (match[1] ?? '')
    .split(',')
    .slice(0, MAX_ENVIRONMENTS)
    .flatMap((one) => expandBraces(before + one.trim() + after))
    .slice(0, MAX_ENVIRONMENTS);
}

function valuesOf(section: ConfigSection | undefined, key: RegExp): string[] {
  const text = section?.entries.find((entry) => key.test(entry.key))?.text ?? '';
  const values = text.slice(text.search(/[=:]/) + 1);
  // A comma inside braces belongs to the name.
  return values.match(/(?:\{[^{}]*\}|[^\s,{}])+/g)?.slice(0, MAX_ENVIRONMENTS) ?? [];
}

function optionValues(words: readonly string[], names: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const equals = word.indexOf('=');
    if (equals !== -1 && names.includes(word.slice(0, equals))) return [word.slice(equals + 1)];
    if (names.includes(word)) return [words[at + 1] ?? ''];
    const attached = names.find(
      (name) => name.length === 2 && word.startsWith(name) && !word.startsWith('--'),
    );
    return attached === undefined ? [] : [word.slice(2)];
  });
}

async function followNox(walk: HarnessWalk, words: readonly string[], folder: string): Promise<void> {
  const path = under(folder, optionValues(words, ['-f', '--noxfile'])[0] ?? 'noxfile.py');
  const text = await walk.reader.readText(path);
  if (text === undefined) return walk.addFile(path, 0);
  const chosen = new Set(
    words
      .flatMap((word, at) => (/^(?:-s|-e|--sessions?)$/.test(word) ? words.slice(at + 1) : []))
      .concat(optionValues(words, ['--session', '--sessions']))
      .map((name) => name.replace(/[-(].*$/, '')),
  );
  const kept = topLevelStatements(text).filter((statement) => {
    const session = /^@(?:nox\.)?session\b[\s\S]*?\bdef\s+(\w+)/.exec(statement)?.[1];
    return session === undefined || chosen.size === 0 || chosen.has(session);
  });
  walk.add(harnessPart(path, 'sessions', kept.join('\n')));
  for (const runner of runnersIn(kept.join('\n'))) walk.addRunner(runner, folder);
}

async function followHatch(walk: HarnessWalk, words: readonly string[], folder: string): Promise<void> {
  const run = words.find((word, at) => at > 0 && words[at - 1] === 'run' && !word.startsWith('-'));
  const [before, after] = run?.includes(':') ? run.split(':', 2) : [undefined, run];
  const named = optionValues(words, ['-e', '--env'])[0] ?? before?.replace(/^\+.*$/, '');
  const environment = words.includes('test') && run === undefined ? 'hatch-test' : named || 'default';
  for (const [name, prefix] of [
    ['pyproject.toml', 'tool.hatch.envs.'],
    ['hatch.toml', 'envs.'],
  ] as const) {
    const path = under(folder, name);
    for (const section of readTomlSections((await walk.reader.readText(path)) ?? '')) {
      if (!section.name.startsWith(prefix)) continue;
      const [owner = '', part] = section.name.slice(prefix.length).split('.');
      if (owner !== environment && owner !== 'default') continue;
      const entries = part === 'scripts' ? reachable(section.entries, after) : section.entries;
      if (entries.length > 0) await addSection(walk, path, { ...section, entries }, folder);
    }
  }
}

const TASK_TABLES = ['tool.poe.tasks', 'tool.pdm.scripts', 'tool.taskipy.tasks', 'scripts'];

async function followTasks(walk: HarnessWalk, words: readonly string[], folder: string): Promise<void> {
  const wanted = words.slice(1).find((word) => !word.startsWith('-') && word !== 'run');
  for (const name of ['pyproject.toml', 'Pipfile', 'poe_tasks.toml']) {
    const path = under(folder, name);
    const sections = readTomlSections((await walk.reader.readText(path)) ?? '');
    const tables = name === 'pyproject.toml' ? TASK_TABLES.slice(0, 3) : [...TASK_TABLES, 'tasks'];
    for (const table of tables) {
      const entries = sections
        .filter((one) => one.name === table || one.name.startsWith(`${table}.`))
        .flatMap((one) =>
          one.name === table
            ? one.entries.map((entry) => ({ ...entry, key: entry.key.slice(table.length + 1) }))
            : [
                {
                  key: one.name.slice(table.length + 1),
                  text: one.entries.map(({ text }) => text).join('\n'),
                },
              ],
        );
      for (const entry of reachable(entries, wanted)) {
        walk.add(harnessPart(path, `[${table}] ${entry.key}`, entry.text));
        for (const line of commandLines(entry.text.slice(entry.text.indexOf('=') + 1)))
          await walk.follow(line, folder);
      }
    }
  }
}

/** The tasks that a task names; all of them if unknown. */
function reachable<Entry extends { key: string; text: string }>(
  entries: readonly Entry[],
  wanted: string | undefined,
): Entry[] {
  const nameOf = ({ key }: Entry) => key.slice(key.lastIndexOf('.') + 1);
  if (wanted === undefined || !entries.some((one) => nameOf(one) === wanted)) return [...entries];
  const names = new Set([wanted]);
  for (const name of names)
    for (const { text } of entries.filter((one) => nameOf(one) === name))
      for (const word of text.match(/[\w:.-]+/g) ?? [])
        if (entries.some((one) => nameOf(one) === word)) names.add(word);
  return entries.filter((one) => names.has(nameOf(one)));
}
