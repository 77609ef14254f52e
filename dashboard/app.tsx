import { useEffect, useState } from 'preact/hooks';
import type { ProjectsAnswer } from '../src/interfaces/dashboard/api/schemas.ts';
import type { CiReport } from '../src/interfaces/dashboard/report/ci-report-schema.ts';
import { chooseProject, knownProjects, link, project, route } from './addresses.ts';
import { access, signInProblem } from './api.ts';
import { connection } from './live.ts';
import { Command, Empty, Shown } from './parts/basics.tsx';
import { short } from './printable.ts';
import { type Report, report } from './report.ts';
import { store, stored } from './storage.ts';
import { useRead } from './use-read.ts';
import { Architecture } from './views/architecture.tsx';
import { CiView } from './views/ci.tsx';
import { EpisodeView } from './views/episode.tsx';
import { FeatureView } from './views/feature.tsx';
import { Features } from './views/features.tsx';
import { GuardView } from './views/guard.tsx';
import { Guards } from './views/guards.tsx';
import { Health } from './views/health.tsx';
import { Learning } from './views/learning.tsx';
import { Log } from './views/log.tsx';
import { Memory } from './views/memory.tsx';
import { Now } from './views/now.tsx';
import { QueueView } from './views/queue.tsx';

const VIEWS = [
  ['now', 'Now'],
  ['features', 'Features'],
  ['memory', 'Memory'],
  ['guards', 'Guards'],
  ['learning', 'Learning'],
  ['architecture', 'Architecture'],
  ['log', 'Log'],
  ['health', 'Health'],
] as const;

const ASK_MS = 3000;

/** Views within another one. */
const PARTS: Readonly<Record<string, string>> = { feature: 'features', episode: 'memory', queue: 'now' };

export function App() {
  if (access.value === 'unknown') return <p class="loading">Loading…</p>;
  if (access.value === 'signed-out') return <SignedOut />;
  return report ? <ReportPage report={report} /> : <Page />;
}

function SignedOut() {
  return (
    <main class="signed-out">
      <h1>GuardKit</h1>
      <p>{signInProblem.value || 'This page is not signed in.'} Open the dashboard from a terminal:</p>
      <Command text="guardkit ui" />
    </main>
  );
}

/** A file of its own, with the views that its data fills. */
function ReportPage({ report: { at, version, answers, project: own } }: { report: Report }) {
  const name = route.value.parts[0] ?? '';
  return (
    <>
      <header class="page-head">
        <span class="brand">GuardKit</span>
        {'ci' in answers ? null : (
          <nav aria-label="Views">
            <a href={link('features')} aria-current={name === 'features' ? 'page' : undefined}>
              Features
            </a>
          </nav>
        )}
        <span class="grow" />
        <span class="quiet">
          {short(own, 60)}, {new Date(at).toLocaleString()}, GuardKit {short(version, 20)}
        </span>
        <ThemeSwitch />
      </header>
      <main id="main" tabIndex={-1}>
        {name === 'ci' ? <CiView result={answers.ci as CiReport} /> : <View name={name} project={own} />}
      </main>
    </>
  );
}

function Page() {
  const reading = useRead<ProjectsAnswer>('projects', {});
  useEffect(() => {
    knownProjects.value = reading.data?.projects.map(({ id }) => id) ?? knownProjects.value;
  }, [reading.data]);
  // Without a project there is no stream that reports the first one.
  const isEmpty = reading.data?.projects.length === 0;
  useEffect(() => {
    if (!isEmpty) return undefined;
    const timer = setInterval(() => !document.hidden && reading.reload(), ASK_MS);
    return () => clearInterval(timer);
  }, [isEmpty]);
  const shown = route.value.parts[0] ?? 'now';
  useEffect(() => {
    // In a narrow window the views scroll.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shown]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header class="page-head">
        <a class="brand" href={link('now')} aria-label="GuardKit">
          <img src="/icon.svg" alt="" width="22" height="22" /> <span class="word">GuardKit</span>
        </a>
        <nav aria-label="Views">
          {VIEWS.map(([name, label]) => (
            <a
              key={name}
              href={link(name)}
              aria-current={name === (PARTS[shown] ?? shown) ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
        <span class="grow" />
        <ProjectSwitch projects={reading.data?.projects ?? []} />
        <Connection />
        <ThemeSwitch />
      </header>
      <main id="main" tabIndex={-1}>
        <Shown reading={reading}>
          {({ projects }) =>
            projects.length === 0 ? (
              <Empty>
                GuardKit has no records yet. Run <code>guardkit init</code> in a project.
              </Empty>
            ) : (
              project.value !== undefined && <View name={shown} project={project.value} />
            )
          }
        </Shown>
      </main>
    </>
  );
}

function View({ name, project: own }: { name: string; project: string }) {
  const { parts } = route.value;
  useEffect(() => {
    document.title = `${short(parts.join(' '), 100) || 'Now'} · ${short(own, 60)} · GuardKit`;
  }, [parts.join(' '), own]);
  switch (name) {
    case 'now':
      return <Now project={own} />;
    case 'features':
      return <Features project={own} />;
    case 'feature':
      return <FeatureView project={own} id={parts[1] ?? ''} path={parts.slice(2)} />;
    case 'memory':
      return <Memory key={own} project={own} />;
    case 'episode':
      return <EpisodeView key={parts.join('/')} project={own} group={parts[1] ?? '-'} id={parts[2] ?? ''} />;
    case 'guards':
      return parts[1] === undefined ? (
        <Guards key={own} project={own} />
      ) : (
        <GuardView project={own} id={parts[1]} />
      );
    case 'learning':
      return <Learning key={own} project={own} />;
    case 'architecture':
      return <Architecture key={own} project={own} around={parts[1]} />;
    case 'queue':
      return <QueueView key={own} project={own} />;
    case 'log':
      return <Log project={own} />;
    case 'health':
      return <Health project={own} />;
    default:
      return (
        <Empty>
          There is no such page. <a href={link('now')}>Go to the start</a>.
        </Empty>
      );
  }
}

function ProjectSwitch({ projects }: { projects: ProjectsAnswer['projects'] }) {
  if (projects.length === 0) return null;
  return (
    <label class="project">
      <span class="hidden">Project</span>
      <select value={project.value} onChange={({ currentTarget }) => chooseProject(currentTarget.value)}>
        {projects.map(({ id, features }) => (
          <option key={id} value={id}>
            {short(id, 60)}
            {features.blocked ? ` (${features.blocked} blocked)` : ''}
          </option>
        ))}
      </select>
    </label>
  );
}

const STATES = {
  connecting: ['plain', 'Connecting…'],
  live: ['good', 'Live'],
  lost: ['bad', 'Reconnecting…'],
} as const;

function Connection() {
  const [tone, label] = STATES[connection.value];
  return (
    <span class={`connection ${tone}`} role="status">
      {label}
    </span>
  );
}

const THEMES = ['auto', 'light', 'dark'] as const;
const THEME_KEY = 'guardkit.theme';

function ThemeSwitch() {
  const [theme, setTheme] = useState(stored(THEME_KEY) ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    store(THEME_KEY, theme);
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme as (typeof THEMES)[number]) + 1) % THEMES.length] ?? 'auto';
  return (
    <button
      type="button"
      class="theme"
      onClick={() => setTheme(next)}
      aria-label={`Theme: ${theme}. Use ${next}`}
    >
      {theme === 'dark' ? '☾' : theme === 'light' ? '☀' : '◐'}
    </button>
  );
}
