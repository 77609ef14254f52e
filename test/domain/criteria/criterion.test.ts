import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalCriterionId,
  normalizeCriterionText,
  splitCriterionId,
} from '../../../src/domain/criteria/criterion.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';

describe('the written id of a criterion', () => {
  it.each([
    ['AC-001: User can log in', 'AC-001', 'User can log in'],
    ['**AC-001**: User can log in', 'AC-001', 'User can log in'],
    ['**AC-001:** User can log in', 'AC-001', 'User can log in'],
    ['__AC-001__ User can log in', 'AC-001', 'User can log in'],
    ['`AC-001` - User can log in', 'AC-001', 'User can log in'],
    ['[AC-2.1] User can log in', 'AC-2.1', 'User can log in'],
    ['AC1 - User can log in', 'AC1', 'User can log in'],
    ['AC1 — User can log in', 'AC1', 'User can log in'],
    ['AC-1. User can log in', 'AC-1', 'User can log in'],
    ['AC-1) User can log in', 'AC-1', 'User can log in'],
    ['AC-2.1: User can log in', 'AC-2.1', 'User can log in'],
    ['ac-7: User can log in', 'AC-7', 'User can log in'],
    ['AC-001 User can log in', 'AC-001', 'User can log in'],
    ['AC-001:User can log in', 'AC-001', 'User can log in'],
    ['AC-001:`code` is kept', 'AC-001', '`code` is kept'],
    ['REQ-12: User can log in', 'REQ-12', 'User can log in'],
    ['AC-001: AC-002: twice', 'AC-001', 'AC-002: twice'],
    ['AC-001:', 'AC-001', ''],
  ])('%s', (written, id, text) => {
    expect(splitCriterionId(written)).toEqual({ id, text });
  });

  it.each([
    'User can log in',
    'SHA-256 is used',
    'AC is switched on',
    'ACME-1st is told',
    'AC-001x: no id',
    'AC-1.5kW is drawn',
    '[xml] parse',
    '**bold** text',
    '**AC-001 is bold**',
    'AC-: nothing',
    'HTTP2 - works',
    '',
  ])('is none in "%s"', (written) => {
    expect(splitCriterionId(written)).toEqual({ text: written });
  });

  it('is found or not in any text, without error', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
        const { id, text: rest } = splitCriterionId(text);
        expect(id === undefined ? rest === text : text.includes(rest)).toBe(true);
      }),
    );
  });

  it('is the same with and without zeros and dash', () => {
    expect(new Set(['AC1', 'AC-1', 'ac-001', 'AC_01'].map(canonicalCriterionId)).size).toBe(1);
    expect(canonicalCriterionId('AC-1')).not.toBe(canonicalCriterionId('AC-10'));
    expect(canonicalCriterionId('AC-1.2')).not.toBe(canonicalCriterionId('AC-12'));
  });
});

describe('the text of a criterion', () => {
  it.each([
    ['User can  log\tin.', 'user can log in'],
    ['**User** can `log` in', 'user can log in'],
    ['snake_case is kept', 'snake_case is kept'],
    ['x > 0', 'x > 0'],
    ['ﬁle', 'file'],
    ['...', ''],
  ])('"%s" is compared as "%s"', (text, normal) => {
    expect(normalizeCriterionText(text)).toBe(normal);
  });

  it('is the same when it is compared twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = normalizeCriterionText(text);
        expect(normalizeCriterionText(once)).toBe(once);
      }),
    );
  });
});
