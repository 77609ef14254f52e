import {
  type AndOr,
  type Case,
  type CommandNode,
  type CompoundList,
  type For,
  type Function as FunctionNode,
  type If,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Redirected as RedirectedNode,
  type Select,
  type Statement,
  type While,
} from 'unbash';
import type { PathMode } from '../command-analysis.ts';
import type { Findings } from '../command-findings.ts';
import { MAX_LENGTH, measureStructure } from '../measure-structure.ts';
import { allIn } from '../programs/searches.ts';
import { runProgram } from '../run-program.ts';
import { expandText, expandWord, runInside } from '../words/expand-word.ts';
import { boundedText, type Field, HOLE } from '../words/field.ts';
import { applyRedirections, writeOutputs } from './redirections.ts';
import { runSimpleCommand } from './run-simple-command.ts';
import type { Frame, Scope } from './scope.ts';
import type { Shell } from './shell.ts';
import { type UseDetails, usePath, wordContext } from './shell.ts';

/** Executes a command symbolically, following every possible branch. */
export class Walk implements Shell {
  readonly findings: Findings;
  readonly root: string | undefined;

  constructor(findings: Findings, root: string | undefined) {
    this.findings = findings;
    this.root = root;
  }

  runText(text: string, frame: Frame): string {
    const source = text.replaceAll('\r\n', '\n');
    const tooLarge = measureStructure(source);
    if (tooLarge !== undefined || !this.findings.mayParse(source.length, 2 * MAX_LENGTH)) {
      this.loseTrack(`a script cannot be parsed: ${tooLarge ?? 'it is too large'}`, frame);
      this.findings.literalsOf(source);
      return HOLE;
    }
    const script = parse(source);
    return this.runParsed(script, { ...frame, source, statement: source, depth: frame.depth + 1 });
  }

  runParsed(script: ParsedScript, frame: Frame): string {
    const source = script.source ?? frame.source;
    const first = script.errors?.[0];
    if (first !== undefined) {
      this.findings.ok = false;
      this.findings.unclear(`unparsable at ${first.pos}: ${first.message}`);
      this.findings.literalsOf(source);
    }
    return this.#statements(script.commands, { ...frame, source });
  }

  runFields(fields: readonly Field[], frame: Frame): string {
    return runProgram(fields, frame, this);
  }

  usePath(mode: PathMode, field: Field, by: string, frame: Frame, more?: UseDetails): void {
    usePath(mode, field, by, frame, this.findings, more);
  }

  loseTrack(why: string, frame: Frame): void {
    this.findings.lost = true;
    this.findings.unclear(why);
    this.findings.literalsOf(frame.statement);
  }

  #statements(statements: readonly Statement[], frame: Frame): string {
    let output = '';
    for (const statement of statements) {
      this.findings.step(frame.depth);
      const background = statement.background === true;
      if (background) this.findings.background = true;
      const text = frame.source.slice(statement.pos, statement.end);
      const own = {
        ...frame,
        statement: text,
        background: frame.background || background,
        checked: frame.scope.stopsOnError,
        scope: background ? frame.scope.fork() : frame.scope,
      };
      output = boundedText(output + this.#node(statement.command, own));
    }
    return output;
  }

  #node(node: PipelineNode | AndOr | CompoundList, frame: Frame): string {
    this.findings.step(frame.depth);
    const inner = { ...frame, depth: frame.depth + 1 };
    const context = () => wordContext(this, frame);
    switch (node.type) {
      case 'Command':
        return runSimpleCommand(node, frame, this);
      case 'Pipeline':
        return this.#pipeline(node, frame);
      case 'AndOr':
        return this.#andOr(node, frame);
      case 'If':
        return this.#if(node, inner);
      case 'For':
      case 'Select':
        return this.#for(node, inner);
      case 'While':
        return this.#while(node, inner);
      case 'ArithmeticFor':
      case 'CompoundList':
      case 'BraceGroup':
        return this.#statements(node.type === 'CompoundList' ? node.commands : node.body.commands, inner);
      case 'Subshell':
        return this.#statements(node.body.commands, { ...inner, scope: frame.scope.fork() });
      case 'Case':
        return this.#case(node, inner);
      case 'Redirected':
        return this.#redirected(node, inner);
      case 'Function':
        return this.#define(node, frame);
      case 'Coproc':
        this.findings.background = true;
        return this.#node(node.body, { ...inner, background: true, scope: frame.scope.fork(), stdin: HOLE });
      case 'TestCommand':
      case 'ArithmeticCommand':
        runInside(node, context());
        return '';
    }
  }

  #pipeline({ commands, operators }: Pipeline, frame: Frame): string {
    let passed = frame.stdin;
    const alone = commands.length === 1;
    commands.forEach((command: CommandNode, index) => {
      const scope = alone ? frame.scope : frame.scope.fork();
      passed = this.#node(command, { ...frame, scope, stdin: passed });
      // `|&` also pipes its error output.
      if (operators[index] === '|&') passed += HOLE;
    });
    return passed ?? '';
  }

  #andOr({ commands, operators }: AndOr, frame: Frame): string {
    const { scope } = frame;
    const others: Scope[] = [];
    let kept = -1;
    let output = '';
    for (const [index, command] of commands.entries()) {
      const leaves = operators[index] === '||' && isExit(commands[index + 1]);
      const checked = frame.checked || operators[index] === '&&' || leaves;
      if (operators[index - 1] === '||') {
        const aside = scope.fork();
        output += this.#node(command, { ...frame, scope: aside, checked });
        if (!isExit(command) && aside.version > 1) others.push(aside);
      } else {
        // An assignment happens even if its command substitution fails.
        if (!leaves && kept !== scope.version && !isAssignment(command)) others.push(scope.fork());
        kept = scope.version;
        output += this.#node(command, { ...frame, checked });
      }
    }
    // Nothing to add without changes.
    if (others.length > 1 || kept !== scope.version) for (const other of others) scope.merge(other);
    return boundedText(output);
  }

  #if(node: If, frame: Frame): string {
    const { scope } = frame;
    let output = this.#node(node.clause, frame);
    const before = scope.fork();
    output += this.#node(node.then, frame);
    for (const { clause, then } of node.elif) {
      const aside = before.fork();
      output += this.#node(clause, { ...frame, scope: aside }) + this.#node(then, { ...frame, scope: aside });
      scope.merge(aside);
    }
    if (node.else !== undefined) output += this.#node(node.else, { ...frame, scope: before });
    scope.merge(before);
    return boundedText(output);
  }

  #for(node: For | Select, frame: Frame): string {
    const { scope } = frame;
    const context = wordContext(this, frame);
    const words = node.wordlist?.flatMap((word) => expandWord(word, context)) ?? scope.positional;
    const name = node.name.value;
    let output = '';
    for (const { text, glob } of words ?? [{ text: HOLE, glob: false }]) {
      this.findings.literal(text);
      const goesOn = this.findings.mayLoop();
      if (!goesOn) this.loseTrack(`a loop over too many values`, frame);
      scope.set(name, [goesOn ? this.#loopValue(text, glob, frame) : HOLE]);
      output = boundedText(output + this.#node(node.body, frame));
      if (!goesOn) break;
    }
    return output;
  }

  #loopValue(text: string, glob: boolean, frame: Frame): string {
    if (!glob) return text;
    if (/^(?:\.\/)?\*\/?$/.test(text)) return allIn({ frame, shell: this }, false);
    return text.replace(/[*?]|\[[^\]]{1,64}\]/g, HOLE);
  }

  #while(node: While, frame: Frame): string {
    const { scope } = frame;
    const clause = node.clause.commands.at(-1)?.command;
    const reads = clause?.type === 'Command' && clause.name?.value === 'read';
    const lines = reads ? (frame.stdin?.split('\n').filter((line) => line !== '') ?? []) : [];
    const before = scope.fork();
    let output = '';
    for (const line of lines.length === 0 ? [frame.stdin] : lines) {
      if (!this.findings.mayLoop()) {
        this.loseTrack(`a loop over too many lines`, frame);
        break;
      }
      const own = { ...frame, stdin: line };
      this.#node(node.clause, own);
      output = boundedText(output + this.#node(node.body, own));
    }
    scope.merge(before);
    return output;
  }

  #case(node: Case, frame: Frame): string {
    const { scope } = frame;
    const context = wordContext(this, frame);
    expandText(node.word, context);
    const before = scope.fork();
    let output = '';
    for (const { pattern, body } of node.items) {
      for (const word of pattern) expandText(word, context);
      const aside = before.fork();
      output = boundedText(output + this.#node(body, { ...frame, scope: aside }));
      scope.merge(aside);
    }
    return output;
  }

  #redirected(node: RedirectedNode, frame: Frame): string {
    const redirected = applyRedirections(node.redirects, frame, this, wordContext(this, frame));
    const output = this.#node(node.command, { ...frame, stdin: redirected.stdin });
    return writeOutputs(output, redirected, frame, this);
  }

  #define(node: FunctionNode, { scope, source }: Frame): string {
    scope.functions.set(node.name.value, (frame) => this.#node(node.body, { ...frame, source }));
    return '';
  }
}

/** Whether it only sets variables. */
function isAssignment(node: PipelineNode): boolean {
  if (node.type !== 'Command') return false;
  const name = node.name?.value;
  return (
    name === undefined || name === 'export' || name === 'local' || name === 'declare' || name === 'readonly'
  );
}

function isExit(node: PipelineNode | undefined): boolean {
  if (node?.type === 'BraceGroup') {
    const last = node.body.commands.at(-1)?.command;
    return last !== undefined && last.type !== 'AndOr' && isExit(last);
  }
  const name = node?.type === 'Command' ? node.name?.value : undefined;
  return name === 'exit' || name === 'return';
}
