import { escapePattern } from '../../domain/escape-pattern.ts';
import { importedName, localName } from './loadable-imports.ts';
import { placesOf, type Versions } from './removed-imports.ts';

const IMPORT = /^import[ \t]+(?!type\b)([^'";]{1,4000}?)[ \t\n]from([ \t]*)(['"])(\.[^'"\n]{1,300})\3/gm;

/**
 * The text of a JavaScript test file that imports functions in the form in which the change exports them: a default export may
 * have become a named one of the same name, or the other way round.
 */
export function followExportForms(
  path: string,
  text: string,
  versionsOf: (path: string) => Versions | undefined,
): string {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return text;
  return text.replace(IMPORT, (whole, clause: string, gap: string, quote: string, module: string) => {
    const versions = placesOf(path, module).flatMap((place) => versionsOf(place) ?? []);
    const { before, after } = versions.find((one) => one.before !== undefined) ?? {};
    if (before === undefined || after === undefined || before === after) return whole;
    const [, own = '', list] = /^([\w$]*)[ \t,]*(?:\{([^{}]*)\})?\s*$/.exec(clause) ?? [];
    if (own === '' && list === undefined) return whole;
    const named = (list ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    const isNowNamed = own !== '' && !exportsDefault(after) && exportsName(after, own);
    const nowDefault = own === '' ? named.find((part) => isNowDefault(part, before, after)) : undefined;
    if (!isNowNamed && nowDefault === undefined) return whole;
    const kept = [...(isNowNamed ? [own] : []), ...named.filter((part) => part !== nowDefault)];
    const first = isNowNamed || nowDefault === undefined ? '' : localName(nowDefault);
    const parts = [first, kept.length > 0 ? `{ ${kept.join(', ')} }` : ''].filter((part) => part !== '');
    // The lines that follow stay where they are.
    return `import ${parts.join(', ')}${clause.replace(/[^\n]+/g, '')} from${gap}${quote}${module}${quote}`;
  });
}

function isNowDefault(part: string, before: string, after: string): boolean {
  const name = importedName(part);
  return (
    exportsName(before, name) &&
    !exportsName(after, name) &&
    new RegExp(
      `\\bexport\\s+default\\s+(?:async\\s+)?(?:function\\b\\s*\\*?\\s*|class\\s+)?${escapePattern(name)}\\b`,
    ).test(after)
  );
}

function exportsDefault(text: string): boolean {
  return /\bexport\s+default\b|\bas\s+default\b/.test(text);
}

function exportsName(text: string, name: string): boolean {
  const own = escapePattern(name);
  return new RegExp(
    `\\bexport\\s+(?:async\\s+)?(?:function\\b\\s*\\*?|const|let|var|class|enum)\\s*${own}\\b|\\bexport\\s*\\{(?:[^{}]{0,4000}[\\s,])?${own}\\s*[,}]`,
  ).test(text);
}
