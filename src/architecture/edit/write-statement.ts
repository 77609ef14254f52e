import { writeAtom } from '../dot/write-atom.ts';
import type { FileStyle, ListStyle } from './file-style.ts';

export type FieldValues = ReadonlyMap<string, string>;

export function writeNodeStatement(id: string, fields: FieldValues, style: FileStyle): string {
  return writeAtom(id, style.ids) + writeList(fields, style.nodeList, style);
}

export function writeEdgeStatement(from: string, to: string, fields: FieldValues, style: FileStyle): string {
  const ends = [from, to].map((id) => writeAtom(id, style.ids)).join(style.arrow);
  return ends + writeList(fields, style.edgeList, style);
}

function writeList(fields: FieldValues, list: ListStyle, style: FileStyle): string {
  if (fields.size === 0) return '';
  const written = [...fields].map(([name, value]) => writeAttribute(name, value, list, style));
  return `${list.before}[${list.open}${written.join(list.between)}${list.close}]`;
}

export function writeAttribute(name: string, value: string, list: ListStyle, style: FileStyle): string {
  return `${writeAtom(name, 'bare')}${list.equals}${writeAtom(value, style.values)}`;
}
