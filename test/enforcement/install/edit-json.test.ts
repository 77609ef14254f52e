import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editMember } from '../../../src/enforcement/install/edit-json.ts';

describe('editing one member of a JSON text', () => {
  it.each([
    ['{}', '{\n  "hooks": 1\n}'],
    ['{"a":1.0}', '{"a":1.0,"hooks":1}'],
    ['{\n    "a": 1e3\n}\n', '{\n    "a": 1e3,\n    "hooks": 1\n}\n'],
    ['{\r\n\t"a": "}"\r\n}', '{\r\n\t"a": "}",\r\n\t"hooks": 1\r\n}'],
    ['{"hooks" : {"a":[1]} , "b":2}', '{"hooks" : 1 , "b":2}'],
    ['{"\\u0068ooks":[],"b":"\\"hooks\\":2"}', '{"\\u0068ooks":1,"b":"\\"hooks\\":2"}'],
  ])('makes %j into %j', (before, after) => {
    expect(editMember(before, 'hooks', 1)).toBe(after);
  });

  it.each([
    ['{"hooks":1}', '{}'],
    ['{"a":1,"hooks":1}', '{"a":1}'],
    ['{\n  "hooks": 1,\n  "a": 1\n}', '{\n  "a": 1\n}'],
    ['{"a":1}', '{"a":1}'],
  ])('removes it from %j', (before, after) => {
    expect(editMember(before, 'hooks', undefined)).toBe(after);
  });

  it.each([
    [
      '{\n\t"hooks": {"Stop": [ {"a":1.0} ]}  }',
      { Stop: [{ a: 1 }, { b: 2 }], End: [3] },
      '{\n\t"hooks": {"Stop": [ {"a":1.0}, {"b":2} ],"End":[3]}  }',
    ],
    [
      '{\n  "hooks": {\n    "Stop": [\n      { "a": 1 }\n    ]\n  }\n}\n',
      { Stop: [{ a: 1 }, { b: 2 }], End: [3] },
      '{\n  "hooks": {\n    "Stop": [\n      { "a": 1 },\n      {\n        "b": 2\n      }\n    ],\n    "End": [\n      3\n    ]\n  }\n}\n',
    ],
    ['{"hooks":{"a":[1e1,2 , 3]}}', { a: [10, 3] }, '{"hooks":{"a":[1e1 , 3]}}'],
    ['{\n "hooks": {"a" : [], "b":1.0}}', { a: [1], b: 1 }, '{\n "hooks": {"a" : [1], "b":1.0}}'],
  ])('keeps the layout of the rest of %j', (before, value, after) => {
    expect(editMember(before, 'hooks', value)).toBe(after);
  });

  it('returns undefined for a duplicate name', () => {
    expect(editMember('{"hooks":1,"hooks":2}', 'hooks', 3)).toBeUndefined();
  });

  it('changes nothing else, and can be undone byte for byte', () => {
    const settings = fc.dictionary(
      fc.string().filter((key) => key !== 'hooks' && key !== '__proto__'),
      fc.jsonValue(),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(settings, fc.constantFrom('', ' ', '  ', '\t'), fc.jsonValue(), (value, indent, hooks) => {
        const before = JSON.stringify(value, null, indent);
        const after = editMember(before, 'hooks', hooks) ?? '';
        expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify({ ...value, hooks })));
        expect(editMember(after, 'hooks', undefined)).toBe(before);
      }),
    );
  });
});
