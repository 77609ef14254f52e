/** Something that a run has in the person's checkout but not in a sealed run. */
export interface Missing {
  kind: 'variable' | 'program' | 'network' | 'home-file' | 'ignored-file';
  name: string;
  /** A sentence for the person. */
  text: string;
  /** Lines for .guardkit/config.yaml that add it; none if the project itself must change. */
  lines: string[];
}

export interface MissingFacts {
  /** The end of the sealed run's output. */
  output: string;
  /** The sealed run's home folder. */
  home: string;
  /** Names of variables that the person has set and a sealed run lacks. */
  withheld: ReadonlySet<string>;
  /** Names of variables that the project's files read. */
  read: ReadonlySet<string>;
  /** The path of a program on the person's PATH. */
  programPath(name: string): string | undefined;
  /** Existing files of the person's home folder, relative to it. */
  inHome(path: string): boolean;
  /** Files in the checkout that git ignores, so that a fresh checkout lacks them. */
  ignored: readonly string[];
}

const NO_NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH)\b|Network is unreachable|Temporary failure in name resolution|no such host|Could not resolve host|Name or service not known|You don't appear to have an internet connection/i;

const MISSING_PROGRAM = [
  /(?:^|\s|: )([\w.+-]+): (?:command )?not found/gm,
  /spawn ([\w.+/-]+) ENOENT/g,
  /exec: "([\w.+-]+)": executable file not found/g,
  /No such file or directory: '([\w.+-]+)'/g,
  /env: [‘']?([\w.+-]+)[’']?: No such file or directory/g,
];

/** Differences that explain why a command passes natively and fails sealed. */
export function findMissing(facts: MissingFacts): Missing[] {
  return [
    ...variables(facts),
    ...programs(facts),
    ...network(facts),
    ...homeFiles(facts),
    ...ignoredFiles(facts),
  ];
}

function variables({ output, withheld, read }: MissingFacts): Missing[] {
  const names = [...withheld]
    .filter((name) => read.has(name) || new RegExp(`\\b${name}\\b`).test(output))
    .sort();
  return names.map((name) => ({
    kind: 'variable',
    name,
    text: `The project reads ${name}, which is set in your shell but not in verifications.`,
    lines: ['verify:', `  pass_env: [${name}]`],
  }));
}

function programs({ output, programPath }: MissingFacts): Missing[] {
  const named = new Set(
    MISSING_PROGRAM.flatMap((pattern) => [...output.matchAll(pattern)].map((match) => match[1] ?? '')),
  );
  return [...named].flatMap((name) => {
    const path = name.includes('/') ? undefined : programPath(name);
    if (path === undefined) return [];
    return [
      {
        kind: 'program' as const,
        name,
        text: `The program ${name} (${path}) is not on the PATH of verifications. Install it for the whole system, or add it to the project.`,
        lines: [],
      },
    ];
  });
}

function network({ output }: MissingFacts): Missing[] {
  if (!NO_NETWORK.test(output)) return [];
  return [
    {
      kind: 'network',
      name: 'network',
      text: 'The tests use the network; verifications have no network access beyond this machine.',
      lines: ['sandbox:', '  network: host'],
    },
  ];
}

function homeFiles({ output, home, inHome }: MissingFacts): Missing[] {
  const named = output.split(`${home}/`).slice(1);
  const paths = new Set(
    named.map((rest) => /^[\w./@+-]*/.exec(rest)?.[0] ?? '').filter((path) => path !== ''),
  );
  return [...paths].filter(inHome).map((path) => ({
    kind: 'home-file',
    name: path,
    text: `The tests read ~/${path}; verifications have a separate home folder. Create the file in the tests or the set-up.`,
    lines: [],
  }));
}

function ignoredFiles({ output, ignored }: MissingFacts): Missing[] {
  const isNamed = (path: string) => output.includes(path) || /^\.env(?:\.[\w.-]+)?$/.test(path);
  return ignored.filter(isNamed).map((path) => ({
    kind: 'ignored-file',
    name: path,
    text: `${path} is ignored by git, so a fresh checkout lacks it. Create it in the set-up.`,
    lines: [],
  }));
}

/** Configuration lines for everything that lines can add. */
export function linesToAdd(missing: readonly Missing[]): string[] {
  const names = missing.filter(({ kind }) => kind === 'variable').map(({ name }) => name);
  const others = missing.filter(({ kind }) => kind !== 'variable').flatMap(({ lines }) => lines);
  return [...(names.length === 0 ? [] : ['verify:', `  pass_env: [${names.join(', ')}]`]), ...others];
}
