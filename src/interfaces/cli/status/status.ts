import * as z from 'zod';
import { observeChanges } from '../../../enforcement/hooks/observe-changes.ts';
import { pendingDefinitions } from '../../../enforcement/provenance/pending-definitions.ts';
import type { WatchContext } from '../../../enforcement/watch/watch-context.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { clockTime } from '../../../platform/clock.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import type { UnseenChange } from '../../../store/ledger/unseen-changes.ts';
import { openProjectLedger } from '../open-project-ledger.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openWatchContext } from '../protection/own-files.ts';
import { personName } from '../verification/person-name.ts';
import {
  type BuiltFeature,
  gatherStatus,
  type ProtectionStatus,
  type ShownPending,
  type StatusFacts,
} from './gather-status.ts';
import { logLine } from './log.ts';
import { withPath } from './log-event.ts';

export const status = defineCommand({
  name: 'status',
  summary: 'Show what is protected, pending, running and refused',
  changes: true,
  schema: z.object({ json: z.boolean().default(false), dryRun: z.boolean().default(false) }),
  run: runStatus,
});

async function runStatus(
  context: CliContext,
  { json, dryRun }: { json: boolean; dryRun: boolean },
): Promise<Report> {
  const git = findGitFolder(context.cwd);
  if (!git)
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: 'This folder is not in a git repository.',
      hint: 'Run the command inside a project.',
    });
  const opened = await openProjectLedger(context);
  // First, so that the page shows changes made since the last hook.
  const watched = await openWatchContext(context);
  const notices = watched && !dryRun ? observeChanges(watched).notices : [];
  const pending = watched ? readPending(watched) : [];
  const facts = await gatherStatus(context, opened, git, pending);
  const paths = new Set(shownChanges(facts.changes).map(({ absolute }) => absolute));
  const shown = facts.changes.filter(({ absolute }) => paths.has(absolute)).map(({ number }) => number);
  // Only if a person sees the page, and only what it shows.
  const marks = !json && !dryRun && shown.length > 0 && context.findPerson().present;
  if (marks)
    opened.ledger.append(opened.project, 'changes_seen', { numbers: shown, by: personName(context.env) });
  const { now, ...stated } = facts;
  return {
    json: { ...stated, at: new Date(now).toISOString(), next: nextCommands(facts) },
    text: describeStatus(facts, context.width, marks),
    notices,
  };
}

function readPending(context: WatchContext): ShownPending[] {
  return pendingDefinitions(context).map(({ path, change, needs }) => ({ path, change, needs }));
}

/** Lines of each list; with all sections full the page stays under 40 lines. */
const SHOWN = 5;
const SHOWN_FEW = 2;

const TIERS: Readonly<Record<ProtectionStatus['tier'], string>> = {
  kernel: 'on. Agents’ commands run in a sandbox and cannot write rules, settings or hooks.',
  none: 'on, without a sandbox. Changes to agent settings and hooks are reverted after the fact.',
  off: 'off. The rules do not apply to any agent in this checkout.',
};

/** The changes that are shown: the last one of each path. */
function shownChanges(changes: readonly UnseenChange[]): UnseenChange[] {
  return [...new Map(changes.map((change) => [change.absolute, change])).values()].slice(0, SHOWN);
}

/** Changes that do not fit on the page stay unseen. */
function markedText(paths: number): string {
  return paths > SHOWN ? `; the first ${SHOWN} are marked as seen now` : '; marked as seen now';
}

/** One page: protection, pending definitions, running work, refusals and next steps. */
export function describeStatus(facts: StatusFacts, width: number, marked: boolean): string {
  const { project, root, protection, pending, refusals, now, waivers } = facts;
  const changes = shownChanges(facts.changes);
  const paths = new Set(facts.changes.map(({ absolute }) => absolute)).size;
  const blocks = [
    [`${project} in ${root}`],
    protectionLines(protection, now),
    // Without a sandbox there is no resident process to ask.
    protection.tier === 'kernel' ? [hooksLine(facts)] : [],
    unguardedLines(facts),
    section(
      'Waivers',
      waivers.map(
        ({ guard, until, by, reason }) => `${guard} until ${clockTime(until, now)}, by ${by}: ${reason}`,
      ),
      SHOWN_FEW,
    ),
    pendingSection('Pending, without effect until you accept them', pending, 'acceptance'),
    pendingSection('Yours, in effect once committed', pending, 'commit'),
    section(
      `Changed settings and hooks you have not seen yet (${plural(paths, 'file')}${marked ? markedText(paths) : ''})`,
      changes.map(
        (one) =>
          `${clockTime(one.at, now)}  ${withPath(one.path, one.what)}${one.agents_running ? ' (an agent was running)' : ''}`,
      ),
      SHOWN,
      paths,
    ),
    section('Running', running(facts), SHOWN_FEW),
    builtLines(facts),
    section(
      'Latest refusals',
      // The lines about unguarded sessions, builds and paused work take the place of some.
      refusals
        .slice(
          0,
          SHOWN -
            (facts.unguarded.length > 0 ? 1 : 0) -
            (facts.built.length > 0 ? 2 : 0) -
            (facts.paused.length > 0 ? 1 : 0),
        )
        .map((event) => logLine(event, width - 2)),
    ),
    nextSteps(facts),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .flat()
    .map((line) => cut(line, width))
    .join('\n');
}

/** The indent stays. */
function cut(line: string, width: number): string {
  const [, indent = '', text = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  return text.length + indent.length <= width ? line : `${indent}${oneLine(text, width - indent.length)}`;
}

function pendingSection(
  heading: string,
  pending: readonly ShownPending[],
  needs: ShownPending['needs'],
): string[] {
  const own = pending.filter((one) => one.needs === needs);
  return section(
    `${heading} (${plural(own.length, 'definition')})`,
    own.map(({ change, path }) => `${change.padEnd(8)} ${path}`),
    SHOWN_FEW,
  );
}

function section(heading: string, lines: readonly string[], most = SHOWN, total = lines.length): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, most);
  const more = total > shown.length ? [`  … and ${total - shown.length} more`] : [];
  return [`${heading}:`, ...shown.map((line) => `  ${line}`), ...more];
}

function protectionLines({ tier, why, paused }: ProtectionStatus, now: number): string[] {
  return [
    ...(paused
      ? [
          `Protection: paused by ${paused.by} until ${clockTime(paused.until, now)}${paused.reason ? ` (${paused.reason})` : ''}.`,
        ]
      : []),
    `Protection${paused ? ' otherwise' : ''}: ${TIERS[tier]}`,
    ...(why === null ? [] : [`  Reason: ${why}.`]),
  ];
}

function unguardedLines({ unguarded, now }: StatusFacts): string[] {
  const last = unguarded.toSorted((a, b) => (a.began < b.began ? 1 : -1))[0];
  if (!last) return [];
  const sessions = unguarded.length === 1 ? 'session' : 'sessions';
  return [
    `${unguarded.length} recent ${sessions} ran without GuardKit’s hooks, the last in ${last.title} at ${clockTime(last.began, now)}.`,
  ];
}

function hooksLine({ hooks: { answers, process, why }, now }: StatusFacts): string {
  if (answers && process)
    return `Hooks: answered by process ${process.pid}, running since ${clockTime(process.since, now)}.`;
  return `Hooks: each starts its own program, because ${why}.`;
}

function running({ builds, sessions, paused, now }: StatusFacts): string[] {
  return [
    ...paused.map(
      ({ driven_by, since, why }) =>
        `${driven_by === 'run' ? 'guardkit run' : 'session in Claude Code'}, paused since ${clockTime(since, now)}: ${why}`,
    ),
    ...builds.map(
      ({ feature, pid, since }) =>
        `${feature === null ? 'guardkit run' : `build of ${feature}`} since ${clockTime(since, now)} (process ${pid})`,
    ),
    ...sessions
      .filter(({ driven }) => !driven)
      .map(({ agent, checkout, since }) => `${agent} session since ${clockTime(since, now)} in ${checkout}`),
  ];
}

function builtLines({ built }: StatusFacts): string[] {
  const [first, ...others] = built;
  if (first === undefined) return [];
  const named = built.map(({ feature, outcome }) => `${feature} (${outcome.replace('_', ' ')})`);
  const isAlone = others.length === 0 && first.outcome !== 'approved' && first.why !== '';
  return [`Built, waiting for you: ${named.join(', ')}${isAlone ? `: ${first.why}` : ''}`];
}

/** What a person can do about a feature that was built. */
function builtCommand({ feature, outcome }: BuiltFeature): string {
  if (outcome === 'approved') return `guardkit feature complete ${feature}`;
  if (outcome === 'interrupted') return `guardkit feature-build ${feature} --resume`;
  return outcome === 'blocked' ? `guardkit feature show ${feature}` : `guardkit explain ${feature}`;
}

/** Commands, the most urgent first. */
function nextCommands(facts: StatusFacts): string[] {
  const { protection, unguarded, pending, refusals, restored, built } = facts;
  const first = built.find(({ outcome }) => outcome === 'approved') ?? built[0];
  return [
    ...(protection.paused ? ['guardkit resume'] : []),
    ...(protection.improve === null ? [] : [protection.improve]),
    ...(unguarded.length > 0 && !protection.improve?.startsWith('guardkit doctor')
      ? ['guardkit doctor']
      : []),
    ...(pending.some(({ needs }) => needs === 'acceptance') ? ['guardkit accept'] : []),
    ...(first ? [builtCommand(first)] : []),
    ...(facts.paused.some(({ driven_by }) => driven_by === 'run') ? ['guardkit run'] : []),
    ...(restored > 0 ? ['guardkit restore'] : []),
    ...(refusals.length > 0 ? ['guardkit log --kind refusals'] : []),
  ];
}

const EXPLAINED: Readonly<Record<string, string>> = {
  'guardkit resume': 'end the pause',
  'guardkit init --agent claude': 'install the hooks',
  'guardkit doctor --fix': 'repair the installation',
  'guardkit doctor': 'check the protection',
  'guardkit accept': 'review and accept pending definitions',
  'guardkit feature complete': 'review the branch and merge it',
  'guardkit feature show': 'see why it is blocked',
  'guardkit feature-build --resume': 'continue it',
  'guardkit explain': 'see why it stopped and how to go on',
  'guardkit run': 'continue the paused run',
  'guardkit restore': 'see files that GuardKit restored in the last 24 hours',
  'guardkit log --kind refusals': 'see all refusals',
};

function nextSteps(facts: StatusFacts): string[] {
  const commands = nextCommands(facts);
  if (commands.length === 0) return ['Nothing needs your decision.'];
  const width = Math.max(30, ...commands.map(({ length }) => length + 2));
  return [
    'Next:',
    ...commands.map((command) => {
      const explained = EXPLAINED[command] ?? EXPLAINED[command.replace(/ [A-Z]\S+/, '')];
      return explained === undefined ? `  ${command}` : `  ${command.padEnd(width)} ${explained}`;
    }),
  ];
}
