import { isObject } from '../../domain/json/plain-shape.ts';
import { layoutOf, readParts, withoutPart, withPart } from './json-parts.ts';

/**
 * Sets one member of the object that a JSON text is, or takes it away (undefined), and leaves every other byte as it is: a
 * person's file keeps its layout, the way its numbers are written and the order of its keys. So does what is the same in
 * the member's old value and its new one. The text must be an object that JSON.parse reads. Undefined where a name stands
 * twice, so that nobody can tell which one is meant.
 */
export function editMember(text: string, name: string, value: unknown, step?: string): string | undefined {
  const found = readParts(text);
  const [member, ...more] = found.parts.filter(({ key }) => key === name);
  if (more.length > 0) return undefined;
  const layout = layoutOf(text, found, step);
  if (value === undefined) return member ? withoutPart(text, found, member) : text;
  if (!member) return withPart(text, name, value, layout);
  const before = text.slice(member.valueStart, member.valueEnd);
  const after = editValue(before, value, layout.step) ?? layout.write(value);
  return text.slice(0, member.valueStart) + after + text.slice(member.valueEnd);
}

/** The same for a member of an object that is itself a member of the text's object. */
export function editNestedMember(
  text: string,
  outer: string,
  name: string,
  value: unknown,
): string | undefined {
  const [member, ...more] = readParts(text).parts.filter(({ key }) => key === outer);
  if (!member || more.length > 0) return undefined;
  const { valueStart, valueEnd } = member;
  const edited = editMember(text.slice(valueStart, valueEnd), name, value);
  return edited === undefined ? undefined : text.slice(0, valueStart) + edited + text.slice(valueEnd);
}

/** Undefined where nothing of the old value can stay, or nobody could tell what. */
function editValue(text: string, value: unknown, step: string): string | undefined {
  const before: unknown = JSON.parse(text);
  if (same(before, value)) return text;
  if (Array.isArray(before) && Array.isArray(value)) return editElements(text, value, step);
  if (!isObject(before) || !isObject(value)) return undefined;
  if (!Object.keys(before).some((name) => Object.hasOwn(value, name))) return undefined;
  let edited: string | undefined = text;
  for (const name of new Set([...Object.keys(before), ...Object.keys(value)])) {
    if (edited === undefined) return undefined;
    edited = editMember(edited, name, Object.hasOwn(value, name) ? value[name] : undefined, step);
  }
  return edited;
}

/** What is in both in the same order stays; the rest of the old goes, and the rest of the new comes last. */
function editElements(text: string, value: readonly unknown[], step: string): string | undefined {
  const found = readParts(text);
  let kept = 0;
  const gone = found.parts.map(({ valueStart, valueEnd }) => {
    const stays = kept < value.length && same(JSON.parse(text.slice(valueStart, valueEnd)), value[kept]);
    if (stays) kept += 1;
    return !stays;
  });
  if (kept === 0) return undefined;
  const layout = layoutOf(text, found, step);
  let edited = text;
  for (let index = gone.length - 1; index >= 0; index--) {
    const now = readParts(edited);
    const part = now.parts[index];
    if (gone[index] && part) edited = withoutPart(edited, now, part);
  }
  for (const one of value.slice(kept)) edited = withPart(edited, undefined, one, layout);
  return edited;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
