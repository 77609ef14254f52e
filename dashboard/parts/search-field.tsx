interface SearchFieldProps {
  /** What is searched, as in "Search features". */
  what: string;
  value: string;
  onInput(value: string): void;
}

/** The search of a view; the key / goes to it. */
export function SearchField({ what, value, onInput }: SearchFieldProps) {
  return (
    <input
      type="search"
      id="search"
      placeholder={`Search ${what} ( / )`}
      aria-label={`Search ${what}`}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}
