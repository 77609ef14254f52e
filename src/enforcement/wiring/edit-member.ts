interface Member {
  key: string;
  start: number;
  valueStart: number;
  valueEnd: number;
}

/**
 * Sets one member of the object that a JSON text is, or takes it away (undefined), and leaves every other byte as it is: a
 * person's file keeps its layout, the way its numbers are written and the order of its keys. The text must be an object
 * that JSON.parse reads. Undefined where it names the member twice, so that nobody can tell which one is meant.
 */
export function editMember(text: string, name: string, value: unknown): string | undefined {
  const { open, members } = readMembers(text);
  const own = members.flatMap((member, index) => (member.key === name ? [index] : []));
  if (own.length > 1) return undefined;
  const [at] = own;
  const member = at === undefined ? undefined : members[at];
  const layout = layoutOf(text, open, members[0]);
  if (value === undefined) return member ? removed(text, open, members, member) : text;
  const written = layout.write(value);
  if (member) return text.slice(0, member.valueStart) + written + text.slice(member.valueEnd);
  const last = members.at(-1);
  const entry = `${layout.before}${JSON.stringify(name)}:${layout.space}${written}`;
  if (last) return `${text.slice(0, last.valueEnd)},${entry}${text.slice(last.valueEnd)}`;
  const end = text.lastIndexOf('}');
  return `${text.slice(0, open + 1)}${entry}${layout.end}${text.slice(end)}`;
}

/** The same for a member of an object that is itself a member of the text's object. */
export function editNestedMember(
  text: string,
  outer: string,
  name: string,
  value: unknown,
): string | undefined {
  const own = readMembers(text).members.filter(({ key }) => key === outer);
  const [member, ...more] = own;
  if (!member || more.length > 0) return undefined;
  const { valueStart, valueEnd } = member;
  const edited = editMember(text.slice(valueStart, valueEnd), name, value);
  return edited === undefined ? undefined : text.slice(0, valueStart) + edited + text.slice(valueEnd);
}

function removed(text: string, open: number, members: readonly Member[], member: Member): string {
  const index = members.indexOf(member);
  const previous = members[index - 1];
  if (previous) return text.slice(0, previous.valueEnd) + text.slice(member.valueEnd);
  const next = members[index + 1];
  if (next) return text.slice(0, member.start) + text.slice(next.start);
  return text.slice(0, open + 1) + text.slice(text.lastIndexOf('}'));
}

/** How the file is laid out: by what stands before its first member, or in two spaces where it has none. */
function layoutOf(text: string, open: number, first: Member | undefined) {
  const gap = first ? text.slice(open + 1, first.start) : '\n  ';
  const line = text.includes('\r\n') ? '\r\n' : '\n';
  const multiline = gap.includes('\n');
  const unit = multiline ? gap.slice(gap.lastIndexOf('\n') + 1) || '  ' : '';
  return {
    before: multiline ? `${line}${unit}` : first && gap === '' ? '' : ' ',
    end: multiline ? line : '',
    space: multiline || gap !== '' ? ' ' : '',
    write: (value: unknown) =>
      JSON.stringify(value, null, unit).replaceAll('\n', multiline ? `${line}${unit}` : ''),
  };
}

function readMembers(text: string): { open: number; members: Member[] } {
  const open = text.indexOf('{');
  const members: Member[] = [];
  let at = skipSpace(text, open + 1);
  while (at < text.length && text[at] !== '}') {
    const start = at;
    const keyEnd = skipString(text, at);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    members.push({ key: String(JSON.parse(text.slice(start, keyEnd))), start, valueStart, valueEnd });
    at = skipSpace(text, valueEnd);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { open, members };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') {
      at = skipString(text, at);
    } else {
      if (depth === 0 && ',} \t\r\n'.includes(character)) return at;
      if ('{['.includes(character)) depth += 1;
      if ('}]'.includes(character)) depth -= 1;
      at += 1;
    }
    if (depth === 0 && '"}]'.includes(text.charAt(at - 1))) return at;
  }
  return at;
}
