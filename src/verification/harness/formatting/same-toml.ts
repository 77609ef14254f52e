const TOKEN = /\n|#[^\n]*|"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'|[[\]{},=]|[^\s[\]{},="'#]+|["']/g;

/** Whether two TOML texts are the same but for spacing, blank lines, quotes, comments and trailing commas. */
export function isSameToml(before: string, after: string): boolean {
  const [a, b] = [normalized(before), normalized(after)];
  return a !== undefined && a === b;
}

function normalized(text: string): string | undefined {
  // Lines of a longer string are content.
  if (/"""|'''/.test(text)) return undefined;
  const tokens: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue;
    if (token === '"' || token === "'") return undefined;
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') {
      depth -= 1;
      if (token === ']' && tokens.at(-1) === ',' && !/^[[,]$/.test(tokens.at(-2) ?? '[')) tokens.pop();
    }
    if (token !== '\n') tokens.push(plain(token));
    else if (depth === 0 && tokens.length > 0 && tokens.at(-1) !== '\n') tokens.push('\n');
  }
  return tokens.join('\0').replace(/\0?\n$/, '');
}

function plain(token: string): string {
  return /^'[^'"\\]*'$/.test(token) ? `"${token.slice(1, -1)}"` : token;
}
