import type { Parsed, TestReport } from '../../domain/entities/test-report.ts';
import { parseJestShape } from './jest-shape.ts';

/** Reads what `jest --json` writes. */
export function parseJestJson(text: string): Parsed<TestReport> {
  return parseJestShape(text, 'jest');
}
