import { DotScanner, TOKEN } from './dot-scanner.ts';

/** The comments of a text that can be read, in their order. */
export function listComments(text: string, directed: boolean): string[] {
  const comments: string[] = [];
  const scanner = new DotScanner(text, comments);
  scanner.directed = directed;
  do scanner.next();
  while (scanner.kind !== TOKEN.end);
  return comments;
}
