/**
 * GuardKit's part of an agent's TOML file, between two comments, so that nothing else has to be parsed. A key outside of any
 * table has to be at the top, a table can be at the end.
 */
export interface TomlBlock {
  name: string;
  at: 'top' | 'end';
}

/** The text with this content of the block, or without the block. */
export function withBlock(text: string, block: TomlBlock, content: readonly string[] | undefined): string {
  const rest = text.replace(patternOf(block), '');
  if (!content) return rest.trim() === '' ? '' : rest;
  const lines = [`# guardkit ${block.name}: begin`, ...content, `# guardkit ${block.name}: end`, ''].join(
    '\n',
  );
  if (rest === '') return lines;
  const end = rest.endsWith('\n') ? '' : '\n';
  return block.at === 'top' ? `${lines}\n${rest}` : `${rest}${end}\n${lines}`;
}

/** The lines of the block; undefined without it. */
export function blockIn(text: string, block: TomlBlock): string[] | undefined {
  return patternOf(block).exec(text)?.[0].trim().split('\n').slice(1, -1);
}

/** With the blank line that separates it from the rest. */
function patternOf({ name, at }: TomlBlock): RegExp {
  const lines = `# guardkit ${name}: begin\\n[\\s\\S]*?# guardkit ${name}: end\\n`;
  return new RegExp(at === 'top' ? `^${lines}\\n?` : `(?:^|\\n)${lines}`);
}
