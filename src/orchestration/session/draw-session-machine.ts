import { loadViz } from '../../architecture/render/render-graph.ts';
import { SESSION_PHASES, type SessionPhase } from '../../domain/entities/session-state.ts';
import { WORKING } from './session.ts';
import { type Row, SESSION_TABLE } from './session-table.ts';

const WORDS: Record<SessionPhase, readonly [name: string, told: string]> = {
  new: ['new', ''],
  checking: ['checking', 'does the project have features?'],
  initializing: ['initializing', 'the initializer writes the list'],
  choosing: ['choosing', 'which feature is next?'],
  coding: ['coding', 'the coding agent, or a build'],
  testing: ['testing', 'the tester agent'],
  verifying: ['verifying', 'GuardKit runs the gates'],
  verifying_all: ['verifying all', 'all completed features together'],
  waiting: ['waiting', 'for a rate limit'],
  paused: ['paused', 'a person decides'],
  ended: ['ended', 'with a summary'],
};

const FILLS: Partial<Record<SessionPhase, readonly [fill: string, border: string]>> = {
  initializing: ['#dbeafe', '#1d4ed8'],
  coding: ['#dbeafe', '#1d4ed8'],
  testing: ['#dbeafe', '#1d4ed8'],
  verifying: ['#dcfce7', '#15803d'],
  verifying_all: ['#dcfce7', '#15803d'],
  waiting: ['#fef3c7', '#b45309'],
  paused: ['#fef3c7', '#b45309'],
};

const INSIDE: ReadonlySet<string> = new Set(WORKING);
/** A row with at least this many phases is drawn from or to the box around them. */
const WIDE = 3;

/** The widest common font: text that fits in it fits in every other. */
const MEASURED = 'DejaVu Sans';
/** As wide, with a narrower fallback. */
const SHOWN = 'Verdana,DejaVu Sans,sans-serif';

/** The machine's table as SVG; deterministic. */
export async function drawSessionMachine(): Promise<string> {
  const viz = await loadViz();
  const picture = viz.renderString(writeMachine(), { format: 'svg', engine: 'dot' });
  return picture.replaceAll(`font-family="${MEASURED}"`, `font-family="${SHOWN}"`);
}

/** The machine's table as DOT. */
export function writeMachine(table: readonly Row[] = SESSION_TABLE): string {
  const arrows = new Map<string, { from: string; to: string; labels: string[] }>();
  const anywhere = new Map<string, string[]>();
  const draw = (from: string, to: string, label: string) => {
    const key = `${from} ${to}`;
    const known = arrows.get(key) ?? { from, to, labels: [] };
    if (!known.labels.includes(label)) known.labels.push(label);
    arrows.set(key, known);
  };
  const note = (on: string, place: string, rest: string) => {
    const key = `${place}\n${rest}`;
    anywhere.set(key, [...(anywhere.get(key) ?? []), words(on)]);
  };
  for (const { from, on, to } of table) {
    const isWide = from.length >= WIDE;
    const targets = Object.entries(to);
    const toBox = targets.length >= WIDE && targets.every(([phase]) => INSIDE.has(phase)) && !isWide;
    // An arrow from the box into itself would be meaningless, so such rows go into the note.
    for (const [phase, when] of targets) {
      const label = when === '' ? words(on) : `${words(on)}: ${when}`;
      const rest = when === '' ? '' : `: ${when}`;
      if (phase === 'same') note(on, isWide ? '' : from.map(words).join(', '), rest);
      else if (isWide && INSIDE.has(phase)) note(on, '', `${rest} → ${words(phase)}`);
      else if (toBox && from.some((one) => !INSIDE.has(one))) draw(from.join(), 'box', words(on));
      else if (isWide) draw('box', phase, label);
      else for (const one of from) draw(one, phase, label);
    }
  }
  return [
    'digraph {',
    `  graph [rankdir=TB, ranksep=0.75, nodesep=0.9, pad=0.4, fontname="${MEASURED}", bgcolor="white", compound=true];`,
    `  node [shape=box, style="filled,rounded", fontname="${MEASURED}", fontsize=12, margin="0.3,0.1", fillcolor="#f3f4f6", color="#374151"];`,
    `  edge [fontname="${MEASURED}", fontsize=10, arrowsize=0.7, color="#4b5563", fontcolor="#374151"];`,
    ...SESSION_PHASES.filter((phase) => !INSIDE.has(phase)).map(nodeStatement),
    '  subgraph cluster_box { label="working"; labeljust=l; style="rounded,dashed"; color="#9ca3af"; fontsize=11; fontcolor="#6b7280";',
    ...WORKING.map(nodeStatement),
    '  }',
    ...[...arrows.values()].map(arrowStatement),
    noteStatement(anywhere),
    '}',
    '',
  ].join('\n');
}

function nodeStatement(phase: SessionPhase): string {
  const [name, told] = WORDS[phase];
  const [fill, border] = FILLS[phase] ?? ['#f3f4f6', '#374151'];
  const small = told === '' ? '' : `<br/><font point-size="9">${escapeText(told)}</font>`;
  return `    ${phase} [label=<<b>${escapeText(name)}</b>${small}>, fillcolor="${fill}", color="${border}"];`;
}

function arrowStatement({ from, to, labels }: { from: string; to: string; labels: string[] }): string {
  const label = `label=<${labels.map((one) => `&#160;&#160;${escapeText(one)}<br align="left"/>`).join('')}>`;
  if (from === 'box') return `  verifying -> ${to} [${label}, ltail=cluster_box, style=dashed, minlen=2];`;
  if (to === 'box')
    return `  ${from} -> verifying [${label}, lhead=cluster_box, style=dashed, constraint=false];`;
  return `  ${from} -> ${to} [${label}];`;
}

function noteStatement(others: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...others].map(([key, events]) => {
    const [place = '', rest = ''] = key.split('\n');
    return `${place === '' ? '' : `while ${place}: `}${events.join(', ')}${rest}`;
  });
  const told = ['Other events, mostly without a change of phase:', ...lines];
  const label = told.map((one) => `${escapeText(one)}<br align="left"/>`).join('');
  return `  also [shape=note, style=filled, fillcolor="#ffffff", color="#9ca3af", fontsize=10, margin="0.3,0.1", label=<${label}>];`;
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
