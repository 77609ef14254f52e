/** The text of a task file with one criterion, and what a test adds to its front matter. */
export function taskText(id: string, more = ''): string {
  return `---\nid: ${id}\ntitle: The ${id}\n${more}---\n\n## Acceptance Criteria\n- [ ] ${id} works\n`;
}

export function featureText(id: string, more = ''): string {
  return `id: ${id}\nname: The ${id}\n${more}`;
}
