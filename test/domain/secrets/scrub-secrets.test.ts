import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/domain/json/json.ts';
import { scrubSecrets } from '../../../src/domain/secrets/scrub-secrets.ts';
import { runs, THOROUGH } from '../../support/thorough.ts';
import { hostileText } from './hostile-text.ts';
import { maker, SEEDS, uuid } from './secret-maker.ts';
import { CONTEXT_NAMES, contextSample, TOKEN_NAMES, tokenSample } from './secret-samples.ts';

describe('a credential that its format betrays', () => {
  it.each(TOKEN_NAMES)('%s is scrubbed, and the text around it stays', (name) => {
    for (const seed of SEEDS) {
      const sample = tokenSample(name, seed, 'The player used ', ' in the tests.');
      expect(scrubSecrets(sample.text)).toBe(sample.scrubbed);
    }
  });

  it.each([
    ['a quote', '"'],
    ['an equals sign', 'x='],
    ['an escaped line break', 'done\\n'],
    ['a percent escape', 'q%20'],
    ['a colour code', '\u001b[1;32m'],
    ['an underscore', 'x_'],
    ['a bracket', '('],
    ['Chinese', '密钥'],
  ])('a token is found right after %s', (_name, before) => {
    for (const name of TOKEN_NAMES) {
      // Here the text before the token cannot be told apart from it.
      if (before === 'x_' && /JSON web|Mailchimp|Discord|Azure|Terraform/.test(name)) continue;
      if (before === 'q%20' && /Telegram/.test(name)) continue;
      const sample = tokenSample(name, 7, before, '"');
      expect([name, scrubSecrets(sample.text)]).toEqual([name, sample.scrubbed]);
    }
  });
});

describe('a credential that its surroundings betray', () => {
  it.each(CONTEXT_NAMES)('%s is scrubbed, and the text around it stays', (name) => {
    for (const seed of SEEDS) {
      const sample = contextSample(name, seed);
      expect(scrubSecrets(sample.text)).toBe(sample.scrubbed);
    }
  });
});

const UUID = uuid(maker(43));

describe('a JSON value', () => {
  const token = `ghp_${maker(1)(36)}`;

  it('is scrubbed in every string at any depth, and numbers, booleans and null stay', () => {
    expect(scrubSecrets({ a: [1, 12345678, true, null, { b: `use ${token}` }], c: 0.5 })).toEqual({
      a: [1, 12345678, true, null, { b: 'use [scrubbed:github-token]' }],
      c: 0.5,
    });
  });

  it('is not changed itself', () => {
    const value = { a: { password: 'hunter2' } };
    scrubSecrets(value);
    expect(value).toEqual({ a: { password: 'hunter2' } });
  });

  it('loses the value of a key that names a secret', () => {
    expect(
      scrubSecrets({
        user: 'bob',
        password: 'hunter2',
        nested: { DB_PASSWORD: 'postgres', api_key: 'abcdefghijklmnop', clientSecret: maker(2)(24) },
        'x-api-key': maker(3)(24),
        passwords: 3,
      }),
    ).toEqual({
      user: 'bob',
      password: '[scrubbed:password]',
      nested: {
        DB_PASSWORD: '[scrubbed:password]',
        api_key: '[scrubbed:secret]',
        clientSecret: '[scrubbed:secret]',
      },
      'x-api-key': '[scrubbed:secret]',
      passwords: 3,
    });
  });

  it('keeps the value of such a key if it is not a secret', () => {
    const value = {
      password: [
        'string',
        'must be at least 8 characters',
        '$(cat secret)',
        '',
        '***',
        '<password>',
        null,
        8,
      ],
      token: 'identifier',
      secret: 'see vault',
      key: 'value',
      max_tokens: 4096,
      tokenizer: 'unicode61',
      session_id: UUID,
      primary_key: 'user_id2',
    };
    expect(scrubSecrets(value)).toEqual(value);
  });

  it('loses secrets in lists under such a key, in listed variables and in arguments', () => {
    expect(
      scrubSecrets({
        password: ['hunter2', 'letmein'],
        env: [
          { name: 'DB_PASSWORD', value: 'letmein' },
          { name: 'LOG_LEVEL', value: 'debug' },
        ],
        argv: ['tool', '--password', 'letmein', '--level', 'debug'],
        secret_key: { value: 'abcdefghijklmnop' },
      }),
    ).toEqual({
      password: ['[scrubbed:password]', '[scrubbed:password]'],
      env: [
        { name: 'DB_PASSWORD', value: '[scrubbed:password]' },
        { name: 'LOG_LEVEL', value: 'debug' },
      ],
      argv: ['tool', '--password', '[scrubbed:password]', '--level', 'debug'],
      secret_key: { value: '[scrubbed:secret]' },
    });
  });

  it('loses the cookies and the authorization of its headers', () => {
    expect(
      scrubSecrets({
        headers: {
          Cookie: `theme=dark; sid=${maker(4)(32)}`,
          Authorization: `Basic ${btoa('bob:hunter2')}`,
          Accept: '*/*',
        },
      }),
    ).toEqual({
      headers: {
        Cookie: 'theme=dark; sid=[scrubbed:cookie]',
        Authorization: 'Basic [scrubbed:authorization]',
        Accept: '*/*',
      },
    });
  });

  it('is scrubbed in its keys, and no value is lost when two of them become the same', () => {
    const other = `ghp_${maker(2)(36)}`;
    const third = `ghp_${maker(3)(36)}`;
    const once = scrubSecrets({ [token]: 1, [other]: 2, '[scrubbed:github-token] (2)': 3, [third]: 4 });
    expect(once).toEqual({
      '[scrubbed:github-token]': 1,
      '[scrubbed:github-token] (2)': 3,
      '[scrubbed:github-token] (3)': 2,
      '[scrubbed:github-token] (4)': 4,
    });
    expect(scrubSecrets(once)).toEqual(once);
  });

  it('with a great many secrets for keys takes no quadratic time', () => {
    const value = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, seed) => [`ghp_${maker(seed)(36)}${seed}`, seed]),
    );
    expect(Object.keys(scrubSecrets(value))).toHaveLength(20_000);
  });

  it('keeps a key named __proto__ as a key', () => {
    const value: JsonValue = JSON.parse('{"__proto__": {"password": "hunter2"}, "constructor": 1}');
    const result = scrubSecrets(value);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"password":"[scrubbed:password]"},"constructor":1}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it('nested a hundred thousand deep does not exhaust the stack', () => {
    for (const wrap of [
      (inner: JsonValue): JsonValue => [inner],
      (inner: JsonValue): JsonValue => ({ a: inner }),
    ]) {
      let deep: JsonValue = token;
      for (let depth = 0; depth < (THOROUGH ? 500_000 : 100_000); depth += 1) deep = wrap(deep);
      let result: JsonValue | undefined = scrubSecrets(deep);
      while (result !== null && typeof result === 'object') result = Object.values(result)[0];
      expect(result).toBe('[scrubbed:github-token]');
    }
  });

  it('keeps its shape, and is the same when scrubbed twice', () => {
    const key = fc.oneof(
      fc.constantFrom('password', 'token', 'api_key', 'name', 'value', 'auth', 'Cookie', '__proto__'),
      hostileText,
    );
    const { value: json } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        hostileText,
        fc.constantFrom<JsonValue>('hunter2', 'string', 1, true, null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc
          .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name })
          .map((fields) => Object.fromEntries(fields)),
      ),
    }));
    const shape = (value: JsonValue): unknown => {
      if (value === null || typeof value !== 'object') return typeof value === 'string' ? 'string' : value;
      return Object.values(value).map(shape);
    };
    fc.assert(
      fc.property(json, (value) => {
        const once = scrubSecrets(value);
        expect(scrubSecrets(once)).toEqual(once);
        expect(shape(once)).toEqual(shape(value));
      }),
      { numRuns: runs(1000) },
    );
  });
});
