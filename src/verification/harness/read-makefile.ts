export interface MakeRule {
  targets: string[];
  prerequisites: string[];
  /** Without the tab; continued lines joined. */
  recipe: string[];
  text: string;
}

export interface Makefile {
  rules: MakeRule[];
  /** Every line that sets a variable, by its name. */
  variables: Map<string, string[]>;
  includes: string[];
  /** Lines that change the meaning of others, or that run something while the file is read. */
  directives: string[];
  /** It generates rules while it is read, so only the whole file is safe to compare. */
  dynamic: boolean;
}

const ASSIGNMENT = /^(?:export\s+|override\s+|private\s+)*([\w.%-]+)\s*(?::{0,3}|\?|\+|!)=/;
const CONDITIONAL = /^\s*(?:ifeq|ifneq|ifdef|ifndef|else|endif)\b/;
const INCLUDE = /^\s*[-s]?include\s+(.*)$/;
const ALWAYS = new Set([
  'SHELL',
  '.SHELLFLAGS',
  'MAKEFLAGS',
  'MAKE',
  'PATH',
  '.DEFAULT_GOAL',
  '.RECIPEPREFIX',
  'VPATH',
]);

/** Parses the plain part of the Makefile language and reports the rest. */
export function readMakefile(text: string): Makefile {
  const file: Makefile = { rules: [], variables: new Map(), includes: [], directives: [], dynamic: false };
  let rule: MakeRule | undefined;
  let block: { name: string; lines: string[] } | undefined;
  for (const line of joinedLines(text)) {
    if (block !== undefined) {
      if (/^\s*endef\b/.test(line)) {
        file.variables.set(block.name, [...(file.variables.get(block.name) ?? []), block.lines.join('\n')]);
        block = undefined;
      } else block.lines.push(line.trimEnd());
      if (line.includes('(eval') || line.includes('{eval')) file.dynamic = true;
      continue;
    }
    if (line.startsWith('\t')) {
      if (rule !== undefined) {
        rule.recipe.push(line.slice(1));
        rule.text += `\n${line.trimEnd()}`;
      }
      continue;
    }
    const plain = line.replace(/(?:^|\s)#.*$/, '').trimEnd();
    if (plain.trim() === '') continue;
    if (CONDITIONAL.test(plain)) {
      file.directives.push(plain.trim());
      continue;
    }
    if (/^\s*(?:endef|load|undefine)\b/.test(plain) || plain.includes('$(eval') || plain.includes('${eval'))
      file.dynamic = true;
    if (/\$[({](?:shell|file|guile)\s/.test(plain)) file.directives.push(plain.trim());
    const defined = /^\s*(?:override\s+|export\s+)?define\s+([\w.-]+)/.exec(plain)?.[1];
    if (defined !== undefined) {
      block = { name: defined, lines: [plain.trim()] };
      continue;
    }
    if (/^\s*\$[({](?:warning|info|error)\s.*[)}]$/.test(plain)) {
      file.directives.push(plain.trim());
      continue;
    }
    const include = INCLUDE.exec(plain);
    if (include !== null) {
      file.includes.push(...(include[1] ?? '').split(/\s+/).filter((one) => one !== ''));
      continue;
    }
    const assigned = ASSIGNMENT.exec(plain.trim())?.[1];
    if (assigned !== undefined) {
      file.variables.set(assigned, [...(file.variables.get(assigned) ?? []), plain.trim()]);
      if (ALWAYS.has(assigned)) file.directives.push(plain.trim());
      continue;
    }
    if (/^\s*(?:export|unexport|vpath)\b/.test(plain)) {
      file.directives.push(plain.trim());
      continue;
    }
    rule = readRule(plain);
    if (rule === undefined) file.dynamic = true;
    else file.rules.push(rule);
  }
  if (block !== undefined) file.dynamic = true;
  return file;
}

function readRule(line: string): MakeRule | undefined {
  const colon = line.indexOf(':');
  if (colon === -1) return undefined;
  const [needed = '', ...inline] = line.slice(colon).replace(/^:+/, '').split(';');
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '' && word !== '|');
  return {
    targets: words(line.slice(0, colon).replace(/&$/, '')),
    prerequisites: words(needed),
    recipe: inline.length === 0 ? [] : [inline.join(';').trim()],
    text: line.replace(/\s+/g, ' ').trim(),
  };
}

function joinedLines(text: string): string[] {
  const lines: string[] = [];
  let open: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.endsWith('\\')) {
      open.push(line.slice(0, -1));
      continue;
    }
    lines.push([...open, line].join(' '));
    open = [];
  }
  if (open.length > 0) lines.push(open.join(' '));
  return lines;
}
