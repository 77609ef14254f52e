import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrubNamedSecrets } from '../../../src/domain/secrets/scrub-named-secrets.ts';
import { scrubSecrets, worthTrying } from '../../../src/domain/secrets/scrub-secrets.ts';
import { SECRET_PATTERNS } from '../../../src/domain/secrets/secret-patterns.ts';
import { runs } from '../../support/thorough.ts';
import { hostileText } from './hostile-text.ts';
import { samples, TOKEN_NAMES, tokenSample } from './secret-samples.ts';

const PROPERTY = { numRuns: runs(3000) };

describe('scrubbing any text', () => {
  it('twice gives the same as once', () => {
    fc.assert(
      fc.property(hostileText, (hostile) => {
        const once = scrubSecrets(hostile);
        expect(scrubSecrets(once)).toBe(once);
      }),
      PROPERTY,
    );
  });

  it('makes it at most four times as long', () => {
    fc.assert(
      fc.property(hostileText, (hostile) => {
        expect(scrubSecrets(hostile).length).toBeLessThanOrEqual(4 * hostile.length + 40);
      }),
      PROPERTY,
    );
    const shortest = 'curl -u a:b '.repeat(1000);
    expect(scrubSecrets(shortest).length).toBeLessThan(4 * shortest.length);
  });

  it('leaves scrubbed text of any kind unchanged', () => {
    for (const { scrubbed } of samples(3)) expect(scrubSecrets(scrubbed)).toBe(scrubbed);
  });

  it('never leaves a token between two words', () => {
    const name = fc.constantFrom(...TOKEN_NAMES);
    const word = fc.stringMatching(/^[ A-Za-z,;:=("'\n]{0,20}$/);
    fc.assert(
      fc.property(name, fc.nat(), word, word, (name, seed, before, after) => {
        const { text, secret } = tokenSample(name, seed, `${before} `, ` ${after}`);
        expect(scrubSecrets(text)).not.toContain(secret);
      }),
      PROPERTY,
    );
  });
});

describe('the quick look before the patterns', () => {
  const expectNoneLeftOut = (sample: string) => {
    const { patterns, hasNames } = worthTrying(sample);
    for (const secret of SECRET_PATTERNS) {
      secret.pattern.lastIndex = 0;
      if (secret.pattern.test(sample)) expect(patterns).toContain(secret);
      secret.pattern.lastIndex = 0;
    }
    if (scrubNamedSecrets(sample) !== sample) expect(hasNames).toBe(true);
  };

  it('leaves out no pattern that matches one of the samples', () => {
    for (const { text } of samples(1)) {
      expectNoneLeftOut(text);
      expectNoneLeftOut(`密\u0130\u212a ${text}`);
      expectNoneLeftOut(text.toUpperCase());
    }
  });

  it('leaves out no pattern that matches some text', () => {
    fc.assert(fc.property(hostileText, expectNoneLeftOut), { numRuns: runs(1000) });
  });

  it('every pattern is reached by a sample', () => {
    const reached = new Set<string>();
    for (const { text } of samples(1)) {
      for (const [, kind = ''] of scrubSecrets(text).matchAll(/\[scrubbed:([a-z0-9-]+)\]/g))
        reached.add(kind);
    }
    const known = new Set(SECRET_PATTERNS.map(({ kind }) => kind));
    expect([...known].filter((kind) => !reached.has(kind))).toEqual([]);
  });

  it('tries nothing on prose', () => {
    expect(worthTrying('The coach found that all 42 tests ran and that coverage is 87%.')).toEqual({
      patterns: [],
      hasNames: false,
    });
  });
});
