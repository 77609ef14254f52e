import { type Assignment, type Command, parse, type Redirection } from 'unbash';
import { expandText, expandWord, type WordContext } from '../words/expand-word.ts';
import { boundedText, type Field, HOLE, isKnown } from '../words/field.ts';
import { applyRedirections, writeOutputs } from './redirections.ts';
import type { Frame } from './scope.ts';
import type { Shell } from './shell.ts';
import { wordContext } from './shell.ts';

const MAX_VARIANTS = 8;
const MAX_CALLS = 12;

/** Runs a simple command, once for each possible value of its variables. */
export function runSimpleCommand(node: Command, frame: Frame, shell: Shell): string {
  const { scope } = frame;
  const text = frame.source.slice(node.pos, node.end);
  const several = [...scope.uncertain]
    .filter((name) => text.includes(name))
    .map((name) => [name, scope.values(name)] as const);
  if (several.length === 0) return runVariant(node, frame, shell);
  const before = scope.fork();
  let output = '';
  for (let variant = 0; variant < MAX_VARIANTS; variant += 1) {
    const own = before.fork();
    let rest = variant;
    for (const [name, values] of several) {
      own.set(name, [values[rest % values.length] ?? HOLE]);
      rest = Math.floor(rest / values.length);
    }
    if (rest > 0) break;
    output = boundedText(output + runVariant(node, { ...frame, scope: own }, shell));
    if (variant === 0) scope.assume(own);
    else scope.merge(own);
  }
  for (const [name, values] of several)
    if (scope.values(name).length < values.length && !assigns(node, name)) scope.set(name, values);
  return output;
}

function assigns(node: Command, name: string): boolean {
  return node.prefix.some((one) => one.type === 'Assignment' && one.name === name);
}

function runVariant(node: Command, frame: Frame, shell: Shell): string {
  const context = wordContext(shell, frame);
  const environment: Record<string, string> = Object.create(null);
  Object.assign(environment, frame.environment);
  const redirections: Redirection[] = [];
  const lasting = node.name === undefined;
  for (const item of node.prefix) {
    if (item.type !== 'Assignment') redirections.push(item);
    else {
      const value = assign(item, frame, shell, context, lasting);
      if (!lasting) environment[item.name] = value;
    }
  }
  const fields = node.name === undefined ? [] : expandWord(node.name, context);
  for (const item of node.suffix) {
    if (item.type === 'Word') fields.push(...expandWord(item, context));
    else if (item.type === 'Assignment') fields.push(assignmentField(item, context));
    else redirections.push(item);
  }
  const redirected = applyRedirections(redirections, frame, shell, context);
  const own = { ...frame, stdin: redirected.stdin, environment };
  if (fields.length === 0) {
    // `> file` alone empties it; `$(<file)` reads it.
    return writeOutputs(
      redirections.some(({ operator }) => operator === '<') ? (own.stdin ?? '') : '',
      redirected,
      frame,
      shell,
    );
  }
  const output = call(node, fields, own, shell);
  return writeOutputs(output, redirected, frame, shell);
}

function call(node: Command, fields: readonly Field[], frame: Frame, shell: Shell): string {
  const { scope } = frame;
  const name = fields[0]?.text ?? '';
  const defined = scope.functions.get(name);
  if (defined !== undefined) {
    const calls = frame.calls.filter((one) => one === name).length;
    if (calls > 0 || frame.calls.length > MAX_CALLS) {
      shell.findings.unclear(`${name} calls itself`);
      return HOLE;
    }
    const before = scope.positional;
    scope.positional = fields.slice(1);
    for (const [variable, value] of Object.entries(frame.environment)) scope.set(variable, [value]);
    const output = defined({ ...frame, depth: frame.depth + 1, calls: [...frame.calls, name] });
    scope.positional = before;
    return output;
  }
  const alias = node.name?.text === name ? scope.aliases.get(name) : undefined;
  if (alias === undefined) return shell.runFields(fields, frame);
  return runAlias(alias, fields.slice(1), frame, shell);
}

function runAlias(alias: string, rest: readonly Field[], frame: Frame, shell: Shell): string {
  if (!isKnown(alias) || alias.length > 4096) {
    shell.loseTrack('an unknown alias', frame);
    return HOLE;
  }
  const script = parse(alias);
  const command = script.commands.length === 1 ? script.commands[0]?.command : undefined;
  if (command?.type !== 'Command' || command.prefix.length > 0 || command.redirects.length > 0) {
    for (const { text } of rest) shell.findings.literal(text);
    return shell.runText(alias, frame);
  }
  const context = wordContext(shell, { ...frame, source: alias });
  const words = [command.name, ...command.suffix].flatMap((word) =>
    word?.type === 'Word' ? expandWord(word, context) : [],
  );
  return shell.runFields([...words, ...rest], frame);
}

function assignmentField(item: Assignment, context: WordContext): Field {
  const value =
    item.value.type === 'Word'
      ? expandText(item.value, context)
      : `(${item.value.elements.map((word) => expandText(word, context)).join(' ')})`;
  return { text: `${item.name}${item.append === true ? '+' : ''}=${value}`, glob: false };
}

function assign(
  item: Assignment,
  frame: Frame,
  shell: Shell,
  context: WordContext,
  lasting: boolean,
): string {
  const { scope } = frame;
  if (item.value.type === 'ArrayValue') {
    const values = item.value.elements.flatMap((word) => expandWord(word, context)).map(({ text }) => text);
    for (const value of values) shell.findings.literal(value);
    const before = item.append === true ? (scope.arrays.get(item.name) ?? []) : [];
    scope.set(item.name, [HOLE]);
    scope.arrays.set(item.name, [...before, ...values].slice(0, 1000));
    return HOLE;
  }
  const text = expandText(item.value, context);
  shell.findings.literal(text);
  const value = boundedText(item.append === true ? (scope.values(item.name)[0] ?? '') + text : text);
  if (item.index !== undefined) setElement(item, value, frame, context);
  else if (lasting) scope.set(item.name, [value]);
  return value;
}

function setElement(item: Assignment, value: string, { scope }: Frame, context: WordContext): void {
  const at = item.index === undefined ? '' : expandText(item.index, context);
  const array = [...(scope.arrays.get(item.name) ?? [])];
  if (/^\d{1,3}$/.test(at)) {
    while (array.length < Number(at)) array.push('');
    array[Number(at)] = value;
  } else array.push(value);
  scope.arrays.set(item.name, array);
}
