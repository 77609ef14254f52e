/** A backend's part of lexical search. Keys grow in the order of writing. */
export interface SearchIndex {
  /**
   * For each set of terms, the keys of documents that contain all of them (all documents for an empty set), newest
   * first, at most `limit`. One call for all sets saves round trips.
   */
  matches(sets: readonly (readonly string[])[], limit: number): Promise<number[][]>;
  documents(keys: readonly number[]): Promise<SearchDocument[]>;
  /** The highest key in use, to estimate the density of a cut list. */
  lastKey(): Promise<number>;
  /** Restricts the search to a part of all documents. */
  readonly filter?: SearchFilter | undefined;
}

/** Selects the documents that match the filters of a search. */
export interface SearchFilter {
  /** All matching documents, newest first, if an index leads to them and they are at most `limit`; else undefined. */
  few(limit: number): Promise<number[] | undefined>;
  /** Those of these keys that match. */
  among(keys: readonly number[]): Promise<number[]>;
  /** Like `SearchIndex.matches`, restricted to matching documents. */
  matches(sets: readonly (readonly string[])[], limit: number): Promise<number[][]>;
}

/** The terms of a document in order, separated by single spaces. */
export interface SearchDocument {
  key: number;
  head: string;
  text: string;
}
