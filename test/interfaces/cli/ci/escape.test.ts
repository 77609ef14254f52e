import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  commandMessage,
  commandProperty,
  htmlText,
  markdownText,
  plainLog,
  xmlText,
} from '../../../../src/interfaces/cli/ci/escape.ts';
import { ANY_CHARACTER } from '../../../support/any-character.ts';

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '::',
        '::error::',
        '##[',
        '\n',
        '\r',
        '\u2028',
        '%',
        '<script>',
        '|',
        '`',
        ']]>',
        '&',
        '\u001b[2J',
        '\u202e',
        '\ud800',
        ' ',
        '\t',
      ),
      fc.string({ unit: ANY_CHARACTER }),
    ),
  )
  .map((parts) => parts.join(''));

it('[CI-3] no line of a log is a command of GitHub, whatever it contains', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const line of plainLog(text).split(/\r\n|\n|\r/)) {
        expect(line.trimStart().startsWith('::')).toBe(false);
        expect(line).not.toContain('##[');
      }
    }),
  );
});

it('[CI-3] an annotation is one line, and its properties end where they should', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(commandMessage(text)).not.toMatch(/[\r\n]|##\[/);
      expect(commandProperty(text)).not.toMatch(/[\r\n:,]/);
    }),
  );
});

it('[CI-3] text in Markdown has no character with a meaning', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const plain = markdownText(text).replace(/&#\d+;/g, '');
      expect(plain).not.toMatch(/[!-/:-@[-`{-~\n\r]/);
    }),
  );
});

it('[CI-3] text in HTML and XML opens no tag, and has only characters that XML allows', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(htmlText(text)).not.toMatch(/[<>]/);
      const xml = xmlText(text);
      expect(xml.replace(/&#\d+;/g, '')).not.toMatch(/[<>&"']/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      expect(xml.isWellFormed()).toBe(true);
    }),
  );
});
