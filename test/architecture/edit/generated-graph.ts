import * as fc from 'fast-check';

const IDS = ['a', 'b', 'c', 'd', 'api-server', 'user store', 'node', 'x"y', 'ü', '1'] as const;
export const anId = fc.constantFrom(...IDS);

const WORDS = [
  'component',
  'rule',
  'current',
  'uses',
  'a ] b',
  'say "hi"',
  'C:\\new\\',
  'two\nlines',
  'é <b>',
  '',
];
export const aValue = fc.constantFrom(...WORDS);
const aKey = fc.constantFrom('type', 'status', 'tag', 'component', 'relation', 'path');

/** A text in one of several writing styles. */
const atom = (value: fc.Arbitrary<string>, forms = ['bare', 'quoted', 'joined']) =>
  fc.tuple(value, fc.constantFrom(...forms)).map(([text, form]) => {
    if (form === 'bare' && /^[a-z]+$/.test(text) && text !== 'node') return text;
    if (form === 'html' && /^[a-z ]+$/.test(text)) return `<${text}>`;
    const safe = text.replaceAll('\\', '/').replaceAll('"', '\\"');
    return form === 'joined' && safe.length > 2 && !safe.includes('\\')
      ? `"${safe.slice(0, 1)}" /* + */ + "${safe.slice(1)}"`
      : `"${safe}"`;
  });

const gap = fc.constantFrom('', ' ', '\t', '\n  ', ' /* c */ ', ' // r\n', '\n# remark\n');
const space = fc.constantFrom(' ', '\n    ', ' /* ; */ ', '\n// x -> y\n  ');

const attribute = fc
  .tuple(atom(aKey), gap, gap, atom(aValue))
  .map(([key, a, b, value]) => `${key}${a}=${b}${value}`);
const list = fc
  .tuple(
    fc.array(attribute, { maxLength: 4 }),
    fc.constantFrom(', ', ';', ' ', ',\n      '),
    fc.boolean(),
    gap,
  )
  .map(([attributes, between, trailing, inside]) => {
    const last = trailing && attributes.length > 0 ? ',' : '';
    return `[${inside}${attributes.join(between)}${last}${inside}]`;
  });
const lists = fc.array(list, { maxLength: 2 }).map((all) => all.map((one) => ` ${one}`).join(''));
const reference = fc
  .tuple(atom(anId), fc.constantFrom('', '', '', ':p', ':p:ne'))
  .map(([id, port]) => `${id}${port}`);
const group = fc.array(reference, { minLength: 1, maxLength: 3 }).map((all) => all.join(', '));
const semicolon = fc.constantFrom(';', ';', ' ;', '');

const { statements } = fc.letrec<{ statement: string; statements: string; end: string; subgraph: string }>(
  (tie) => ({
    subgraph: fc
      .tuple(fc.constantFrom('', 'subgraph ', 'subgraph x ', 'subgraph y '), tie('statements'))
      .map(([head, body]) => `${head}{ ${body} }`),
    end: fc.oneof({ depthSize: 'small', withCrossShrink: true }, group, reference, tie('subgraph')),
    statement: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.tuple(group, lists).map(([nodes, all]) => nodes + all),
      fc.tuple(reference, lists).map(([node, all]) => node + all),
      fc
        .tuple(fc.array(tie('end'), { minLength: 2, maxLength: 4 }), gap, lists)
        .map(([ends, around, all]) => ends.join(`${around}->${around}`) + all),
      fc.tuple(fc.constantFrom('node', 'edge', 'graph'), list).map(([of, one]) => `${of} ${one}`),
      fc.tuple(atom(aKey), atom(aValue)).map(([key, value]) => `${key} = ${value}`),
      tie('subgraph'),
    ),
    statements: fc
      .array(fc.tuple(tie('statement'), semicolon, space), { maxLength: 5 })
      .map((all) => all.map(([statement, mark, after]) => `${statement}${mark}${after}`).join('')),
  }),
);

/** Valid DOT in all writing styles. */
export const aDotText = fc
  .tuple(
    fc.constantFrom('digraph', 'strict digraph', 'DiGraph "my graph"', '\uFEFF digraph g'),
    gap,
    statements,
    gap,
  )
  .map(([head, before, body, after]) => `${head} {${before}${body}}${after}`)
  .chain((text) => fc.constantFrom(text, text.replaceAll('\n', '\r\n')));
