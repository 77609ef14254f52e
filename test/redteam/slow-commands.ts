/** Commands designed to be slow to analyse. */
export const SLOW_COMMANDS: Record<string, string> = {
  'many braces': `echo ${'{a,b}'.repeat(40)}`,
  'nested braces': `echo ${'{a,'.repeat(2000)}b${'}'.repeat(2000)}`,
  'a long range': 'echo {1..99999999}',
  'nested substitutions': `${'echo $('.repeat(3000)}${')'.repeat(3000)}`,
  'nested subshells': `${'('.repeat(20_000)}true${')'.repeat(20_000)}`,
  'nested quotes': `bash -c ${'"$(bash -c '.repeat(500)}`,
  'unclosed quotes': `echo ${'\'"'.repeat(20_000)}`,
  'many pipes': Array.from({ length: 5000 }, () => 'cat').join(' | '),
  'many redirections': `cat ${'> a '.repeat(10_000)}`,
  'many heredocs': `cat ${Array.from({ length: 1000 }, (_one, index) => `<<E${index}`).join(' ')}\n${Array.from({ length: 1000 }, (_one, index) => `E${index}`).join('\n')}`,
  'many globs': `ls ${'*/'.repeat(2000)}`,
  'many stars': `ls ${'*a'.repeat(5000)}`,
  'many variables': `${Array.from({ length: 3000 }, (_one, index) => `v${index}=$v${index - 1}x`).join('; ')}; echo $v2999`,
  'growing variables': `x=aaaaaaaaaa; ${'x=$x$x;'.repeat(60)} rm $x`,
  'a growing array': `a=(1 2); ${'a=("${a[@]}" "${a[@]}");'.repeat(40)} rm "\${a[@]}"`,
  'nested parameters': `echo ${'${x:-'.repeat(3000)}y${'}'.repeat(3000)}`,
  'nested arithmetic': `echo $((${'('.repeat(5000)}1${')'.repeat(5000)}))`,
  'a long word': `echo ${'a'.repeat(2_000_000)}`,
  'much base64': `echo ${'YWJj'.repeat(300_000)} | base64 -d | sh`,
  'base64 in base64': `echo ${wrapped(12)} | base64 -d | base64 -d | sh`,
  'a long sed script': `sed -i '${'s/a*a*a*b/c/;'.repeat(3000)}' src/cart.js`,
  'a long program': `node -e "${"fs.readFileSync('a');".repeat(5000)}"`,
  'many evals': `${'eval '.repeat(3000)}ls`,
  'many wrappers': `${'env nice '.repeat(2000)}ls`,
  'a function that calls itself': 'f() { f; f; }; f',
  'functions that call each other': `${Array.from({ length: 40 }, (_one, index) => `f${index}() { f${index + 1}; f${index + 1}; }`).join('\n')}\nf0`,
  'nested loops': `${'for i in 1 2 3 4 5; do '.repeat(200)}echo $i${'; done'.repeat(200)}`,
  'many paths': `cp ${Array.from({ length: 5000 }, (_one, index) => `a${index}/../b/./c`).join(' ')} d`,
  'dots and slashes': `cat ${'../'.repeat(20_000)}x`,
  'aliases of aliases': `shopt -s expand_aliases\n${Array.from({ length: 200 }, (_one, index) => `alias a${index}='a${index + 1} a${index + 1}'`).join('\n')}\na0`,
  'carriage returns': 'echo a\r\n'.repeat(5000),
  'null bytes': 'echo \0'.repeat(5000),
};

function wrapped(times: number): string {
  let text = 'ls';
  for (let count = 0; count < times; count++) text = Buffer.from(text).toString('base64');
  return text;
}
