import type { Parsed, TestReport } from '../../domain/entities/test-report.ts';
import { parseJestShape } from './jest-shape.ts';

/** Reads what `vitest --reporter=json` writes, and what our own reporter of vitest adds to it. */
export function parseVitestJson(text: string): Parsed<TestReport> {
  return parseJestShape(text, 'vitest');
}
