import { describe, expect, it } from 'vitest';
import { scrubSecrets } from '../../../src/domain/secrets/scrub-secrets.ts';
import { rows, THOROUGH } from '../../support/thorough.ts';
import { tokenSample } from './secret-samples.ts';

/** One megabyte each; anything slower than linear would run into the time limit. */
const HOSTILE: readonly string[] = [
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n',
  '-----END PRIVATE KEY-----',
  '-',
  'a:',
  'a=',
  'password=',
  'password: ',
  'password="',
  'password=\\"',
  '"password":"',
  'password=,',
  'token=',
  'secret:',
  'pass:',
  'key',
  'key=',
  'api_key: ',
  'password is ',
  'password                    ',
  '--token=',
  'DB_PASSWORD=abcd\n',
  'name: DB_PASSWORD\n  value: ',
  '<password>',
  '{"password":{"password":',
  'X_PWD=abcd ',
  '://',
  'a://a:',
  'postgres://a:',
  'postgres://a:b',
  'http://u:@',
  'http://@',
  '://:',
  'eyJ',
  '-eyJ',
  '-eyJaaaaaaaa',
  'eyJaaaaaaaa.',
  'SG.',
  '-SG.aaaaaaaaaaaaaaaaaaaa',
  'sk-',
  '-sk-',
  'aghp_',
  'xoxb-',
  'ntn_',
  'LTAI-',
  'AKIA',
  'MTaaaaaaaaaaaaaaaaaaaaaaaaaa.',
  'aaa8Q~',
  '12345678:AA',
  '0123456789abcdef',
  '$6$a$',
  'Bearer ',
  'bearer+',
  'Basic ',
  'authorization: ',
  'authorization=',
  'cookie: ',
  'Set-Cookie: a=',
  'sig=',
  '?code=',
  ' -p',
  'mysql -pa',
  'curl ',
  'curl -u a:b ',
  '.-ua:',
  "password 'a",
  'machine a login a password a ',
  'machine ',
  '[scrubbed:',
  '[scrubbed:password]',
  'password=[scrubbed:a]',
  '\\',
  '\\"',
  '"',
  ' ',
  '\n',
  'a',
  '1',
  '_',
  '@',
  '密',
];

describe('hostile text of great length', () => {
  const LENGTH = THOROUGH ? 1_000_000 : 250_000;
  const long = (unit: string) => unit.repeat(Math.ceil(LENGTH / unit.length));
  /** A hundred times the usual time, and less than half of a quadratic one. */
  const LINEAR = { timeout: THOROUGH ? 120_000 : 15_000 };

  it.each(HOSTILE)('takes linear time when it repeats %j', LINEAR, (unit) => {
    scrubSecrets(long(unit));
  });

  it.each(
    rows(3, [
      'password="',
      '"password":"',
      'DB_PASSWORD=',
      'postgres://a:',
      'http://a:',
      'eyJ',
      'SG.',
      'Cookie: a=',
      'mysql -p',
    ]),
  )('takes linear time when one long run follows %j', LINEAR, (head) => {
    for (const unit of ['a', 'a1', '\\', '\\\\', '"', '@', ':', '-', '.', '=', ','])
      scrubSecrets(head + long(unit));
  });

  it('does not exhaust the stack when it is much longer than a body may be', () => {
    for (const unit of THOROUGH ? [':', 'a', 'a=b; ', 'x\n'] : [':', 'a']) {
      for (const head of ['postgres://a:', 'eyJ', 'cookie: '])
        scrubSecrets(head + unit.repeat(4_000_000 / unit.length));
    }
  });

  it('is searched to its end when it is longer than a body may be', () => {
    const { secret } = tokenSample('a GitHub personal token', 1);
    const long = `${'all is well\n'.repeat(300_000)}${secret}\n`;
    expect(scrubSecrets(long)).toBe(`${'all is well\n'.repeat(300_000)}[scrubbed:github-token]\n`);
  });
});
