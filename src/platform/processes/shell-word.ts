/** A word for a POSIX shell: a file's name may contain anything, and people paste the commands they are shown. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
