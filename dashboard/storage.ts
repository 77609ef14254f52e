// A report may be opened where storage is forbidden, such as in a sandboxed frame.
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Safe: the default is used.
    return null;
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Safe: the choice lasts until the page is closed.
  }
}
