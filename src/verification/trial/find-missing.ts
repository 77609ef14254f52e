/** Something that a run has in the person's checkout and not in a sealed one. */
export interface Missing {
  kind: 'variable' | 'program' | 'network' | 'home-file' | 'ignored-file';
  name: string;
  /** A sentence for the person. */
  text: string;
  /** Lines for .guardkit/config.yaml that add it; none where the project itself has to change. */
  lines: string[];
}

export interface MissingFacts {
  /** The end of the output of the sealed run. */
  output: string;
  /** The home folder that the sealed run had. */
  home: string;
  /** Names of variables that the person has set and a sealed run has not. */
  withheld: ReadonlySet<string>;
  /** Names of variables that the project's files read. */
  read: ReadonlySet<string>;
  /** Where the person's PATH has a program. */
  programPath(name: string): string | undefined;
  /** Files of the person's home folder, relative to it, that exist. */
  inHome(path: string): boolean;
  /** Files in the checkout that git ignores, and a fresh checkout therefore lacks. */
  ignored: readonly string[];
}

const NO_NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH)\b|Network is unreachable|Temporary failure in name resolution|no such host|Could not resolve host|Name or service not known/i;

const MISSING_PROGRAM = [
  /(?:^|\s|: )([\w.+-]+): (?:command )?not found/gm,
  /spawn ([\w.+/-]+) ENOENT/g,
  /exec: "([\w.+-]+)": executable file not found/g,
  /No such file or directory: '([\w.+-]+)'/g,
  /env: [‘']?([\w.+-]+)[’']?: No such file or directory/g,
];

/** Names differences that explain why a command passes natively and fails sealed. */
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
    text: `The variable ${name} is set in your shell and read by the project; verifications do not have it.`,
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
      text: 'The tests use the network; verifications reach only this machine.',
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
    text: `The tests read ~/${path}; verifications have a home folder of their own. Let the tests or the set-up create it.`,
    lines: [],
  }));
}

function ignoredFiles({ output, ignored }: MissingFacts): Missing[] {
  const isNamed = (path: string) => output.includes(path) || /^\.env(?:\.[\w.-]+)?$/.test(path);
  return ignored.filter(isNamed).map((path) => ({
    kind: 'ignored-file',
    name: path,
    text: `${path} is ignored by git, so a fresh checkout lacks it. Let the set-up create it.`,
    lines: [],
  }));
}

/** Lines for the configuration that add everything that lines can add. */
export function linesToAdd(missing: readonly Missing[]): string[] {
  const names = missing.filter(({ kind }) => kind === 'variable').map(({ name }) => name);
  const others = missing.filter(({ kind }) => kind !== 'variable').flatMap(({ lines }) => lines);
  return [...(names.length === 0 ? [] : ['verify:', `  pass_env: [${names.join(', ')}]`]), ...others];
}
