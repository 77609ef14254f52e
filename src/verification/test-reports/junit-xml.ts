import sax from 'sax';
import type { Parsed, TestReport } from '../../domain/entities/test-report.ts';
import { JUnitReader } from './junit-reader.ts';

const CHUNK = 64 * 1024;
/** Only the five entities of XML itself; the types do not know that one can ask for this. */
const OPTIONS: sax.SAXOptions & { strictEntities: boolean } = { position: false, strictEntities: true };
// The whole text is in memory already, and a long attribute is no reason to refuse a report.
Object.assign(sax, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });

/** Reads JUnit XML in the dialects of Surefire, pytest, jest-junit, vitest and mocha. No entity is ever expanded. */
export function parseJunitXml(text: string): Parsed<TestReport> {
  const parser = sax.parser(true, OPTIONS);
  const reader = new JUnitReader();
  let why: string | undefined;
  const refuse = (reason: string): void => {
    why ??= reason;
  };
  parser.onerror = (error) => refuse(`is not valid XML: ${error.message.split('\n')[0]}`);
  parser.ondoctype = (doctype) => {
    if (/<!ENTITY/i.test(doctype)) refuse('declares entities of its own, which no test runner does');
  };
  parser.onopentag = ({ name, attributes }) => reader.open(name, attributes as Record<string, string>);
  parser.onclosetag = (name) => reader.close(name);
  parser.ontext = (part) => reader.text(part);
  parser.oncdata = (part) => reader.text(part);
  const body = text.replace(/^\uFEFF/, '').trimStart();
  for (let at = 0; at < body.length && why === undefined; at += CHUNK) {
    parser.write(body.slice(at, at + CHUNK));
  }
  if (why === undefined) parser.close();
  if (why !== undefined) return { ok: false, why };
  return reader.sawSuite ? { ok: true, value: reader.report() } : { ok: false, why: 'has no testsuite' };
}
