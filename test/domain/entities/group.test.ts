import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expandGroup,
  formatGroup,
  GROUPS,
  isControlledGroup,
  isProjectId,
  parseGroup,
  projectGroup,
} from '../../../src/domain/entities/group.ts';

describe('a group', () => {
  it.each([
    ['turn_states', { project: '', name: 'turn_states' }],
    ['shop-64fb__turn_states', { project: 'shop-64fb', name: 'turn_states' }],
    ['my.own_name-1__guards', { project: 'my.own_name-1', name: 'guards' }],
  ])('%s has a project and a name, and is written the same again', (text, ref) => {
    expect(parseGroup(text)).toEqual(ref);
    expect(formatGroup(ref)).toBe(text);
  });

  it.each([
    '',
    'Turn_States',
    'turn states',
    'turn__',
    '__turn_states',
    'turn_',
    '_turn',
    'shop__turn__states',
    '-shop__turn_states',
    '../etc/passwd',
    'a\u0000b',
    `${'x'.repeat(201)}`,
  ])('%j is refused', (text) => {
    expect(() => parseGroup(text)).toThrow(expect.objectContaining({ code: 'group.illegal', kind: 'input' }));
  });

  it('that is valid is read and written without loss, for any project', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9.-]{0,20}(?:_[A-Za-z0-9.-]{1,10}){0,2}$/);
    fc.assert(
      fc.property(id, fc.constantFrom(...GROUPS.map(({ name }) => name)), (project, name) => {
        expect(isProjectId(project)).toBe(true);
        expect(parseGroup(projectGroup(project, name))).toEqual({ project, name });
      }),
    );
  });

  it('named by a project that could be read in two ways is refused', () => {
    expect(isProjectId('a__b')).toBe(false);
    expect(isProjectId('a_')).toBe(false);
    expect(() => projectGroup('a__b', 'guards')).toThrow(expect.objectContaining({ code: 'group.illegal' }));
  });
});

describe('a bare name on the command line', () => {
  it('means the system group and this project’s', () => {
    expect(expandGroup('quality_gate_configs', 'shop')).toEqual([
      'quality_gate_configs',
      'shop__quality_gate_configs',
    ]);
    expect(expandGroup('role_constraints', 'shop')).toEqual(['role_constraints']);
    expect(expandGroup('turn_states', 'shop')).toEqual(['shop__turn_states']);
  });

  it('means only the system group without a project', () => {
    expect(expandGroup('guards', undefined)).toEqual(['guards']);
    expect(expandGroup('turn_states', undefined)).toEqual([]);
  });

  it('that is misspelt gets a suggestion, and one unlike any other the whole list', () => {
    expect(() => expandGroup('turn_state', 'shop')).toThrow(
      expect.objectContaining({
        code: 'group.unknown',
        hint: expect.stringMatching(/^(?!.*architecture).*turn_states/),
      }),
    );
    expect(() => expandGroup('xyzzy', 'shop')).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/architecture.*turn_states/) }),
    );
  });
});

it('rules for judging work and precedents for agents are controlled in every scope [SEC-3]', () => {
  const controlled = GROUPS.filter(({ name }) => isControlledGroup({ project: 'any', name }));
  expect([...new Set(controlled.map(({ name }) => name))].sort()).toEqual([
    'evidence',
    'failure_patterns',
    'features',
    'guards',
    'patterns',
    'quality_gate_configs',
    'role_constraints',
    'successful_fixes',
    'traces',
  ]);
  expect(isControlledGroup({ project: '', name: 'guards' })).toBe(true);
});
