export type Attributes = Record<string, string | undefined>;

export interface Place {
  path: string[];
  file: string | undefined;
}

/** Suites that are nested deeper than this no longer show in a name. */
const DEEPEST = 100;

/** Names a case: every runner has its own idea of what belongs into which attribute. */
export function placeCase(
  { name = '', classname = '', file }: Attributes,
  suites: readonly { attributes: Attributes }[],
  suiteFile?: string,
): Place {
  const known = file ?? suiteFile;
  // vitest puts the file where the class belongs.
  if (isPath(classname)) return { path: [name], file: known ?? classname };
  if (file?.endsWith('.py')) return { path: [...pythonClasses(file, classname), name], file };
  const chain = suites
    .slice(-DEEPEST)
    .map(({ attributes }) => attributes.name ?? '')
    .filter((suite) => suite !== 'pytest' && !isPath(suite));
  // node:test says `test`, later its suites with dots between them; a runner that gives nothing leaves the suites too.
  if (classname === '' || classname === 'test' || classname === chain.join('.')) {
    return { path: [...chain, name], file: known };
  }
  // jest-junit and mocha say the name, or its end, once more.
  return { path: name.endsWith(classname) ? [name] : [classname, name], file: known };
}

/** pytest's class begins with the module, which the file says already. */
function pythonClasses(file: string, classname: string): string[] {
  const parts = file.slice(0, -3).split('/');
  const found = classname.split('.');
  return parts.every((part, index) => part === found[index]) ? found.slice(parts.length) : found;
}

/** Whether a case stands for a whole file: vitest and node:test report so that it broke, node:test also that it did not. */
export function isFileOf({ name = '', classname }: Attributes): boolean {
  return isPath(name) && (classname === name || classname === 'test');
}

/** pytest has a case of its own for a file that it cannot load, named like the module. */
export function isCollectionFailure({ classname }: Attributes, message: string): boolean {
  return !classname && message.startsWith('collection failure');
}

const SOURCES: ReadonlySet<string> = new Set('js cjs mjs jsx ts cts mts tsx py rb php vue svelte'.split(' '));

/** Asked several times for each case, so it looks at the end only. */
export function isPath(text: string): boolean {
  const dot = text.lastIndexOf('.');
  return dot !== -1 && text.length - dot <= 7 && SOURCES.has(text.slice(dot + 1));
}

export function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

export function sum(...texts: (string | undefined)[]): number | undefined {
  const numbers = texts.map(whole).filter((one) => one !== undefined);
  return numbers.length === 0 ? undefined : numbers.reduce((total, one) => total + one, 0);
}
