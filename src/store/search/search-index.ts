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
  /** What the search may give, where it is asked for a part of all documents only. */
  readonly filter?: SearchFilter | undefined;
}

/** Which documents fit the filters of a search. */
export interface SearchFilter {
  /** All that fit, newest first, where an index leads to them and they are at most `limit`; else undefined. */
  few(limit: number): Promise<number[] | undefined>;
  /** Those of these keys that fit. */
  among(keys: readonly number[]): Promise<number[]>;
  /** As the index gives them, of the documents that fit only. */
  matches(sets: readonly (readonly string[])[], limit: number): Promise<number[][]>;
}

/** The terms of a document in order, with one space between two. */
export interface SearchDocument {
  key: number;
  head: string;
  text: string;
}
