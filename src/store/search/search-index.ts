/** What a backend offers to lexical search; keys grow with the order of writing. */
export interface SearchIndex {
  /** Keys of documents that hold every one of these terms (of all documents, if none is given), newest first. */
  matches(terms: readonly string[], limit: number): Promise<number[]>;
  documents(keys: readonly number[]): Promise<SearchDocument[]>;
  /** Upper end of the keys in use, to judge how dense a cut list is. */
  lastKey(): Promise<number>;
}

export interface SearchDocument {
  key: number;
  head: readonly string[];
  text: readonly string[];
}
