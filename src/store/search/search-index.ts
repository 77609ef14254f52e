/** What a backend offers to lexical search; keys grow with the order of writing. */
export interface SearchIndex {
  /**
   * For each set of terms the keys of documents that hold every one of them (of all documents, for an empty set),
   * newest first, at most `limit`. Asked together, so that a server is asked once.
   */
  matches(sets: readonly (readonly string[])[], limit: number): Promise<number[][]>;
  documents(keys: readonly number[]): Promise<SearchDocument[]>;
  /** Upper end of the keys in use, to judge how dense a cut list is. */
  lastKey(): Promise<number>;
}

/** The terms of a document in order, with one space between two. */
export interface SearchDocument {
  key: number;
  head: string;
  text: string;
}
