import { useEffect, useState } from 'preact/hooks';
import type {
  NowAnswer,
  Running,
  StatusAnswer,
  Waiting,
} from '../../src/interfaces/dashboard/api/schemas.ts';
import { link } from '../addresses.ts';
import { duration, plural, usd, words } from '../format.ts';
import { Badge, Command, Empty, LongText, Section, Shown, Time } from '../parts/basics.tsx';
import { Gates } from '../parts/gates.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';
import { QueueSummary } from './queue.tsx';

const KINDS: Readonly<Record<Waiting['kind'], string>> = {
  blocked: 'Blocked',
  definition: 'Definition',
  stopped: 'Stopped',
  review: 'Ready to merge',
  attestation: 'Attestation',
  guard: 'Guard',
  protection: 'Protection',
};

/** A killed build writes no entry; the page then finds out by asking. */
const ASK_MS = 10_000;

export function Now({ project }: { project: string }) {
  const reading = useRead<NowAnswer>('now', { project });
  const isRunning = (reading.data?.running.length ?? 0) > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => !document.hidden && reading.reload(), ASK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return (
    <Shown reading={reading}>
      {({ waiting, running, status, checkout, features }) => (
        <>
          <h1 class="hidden">Now</h1>
          <Section title="Waiting for you" count={waiting.length}>
            {waiting.length === 0 ? (
              <Empty>Nothing needs your attention.</Empty>
            ) : (
              <ul class="cards">
                {waiting.slice(0, 100).map((one) => (
                  <WaitingCard key={`${one.kind} ${one.title}`} one={one} />
                ))}
              </ul>
            )}
            {waiting.length > 100 && <Empty>… and {waiting.length - 100} more.</Empty>}
          </Section>
          <Section title="Running" count={running.length}>
            {running.length === 0 ? (
              <Empty>
                No build is running. <code>guardkit feature-build FEATURE</code> builds one feature,{' '}
                <code>guardkit run</code> all of them.
              </Empty>
            ) : (
              <ul class="cards">
                {running.map((one) => (
                  <RunningCard key={`${one.kind} ${one.feature}`} one={one} />
                ))}
              </ul>
            )}
          </Section>
          <QueueSummary key={project} project={project} />
          {status && <Sessions status={status} />}
          {status && <Refusals status={status} />}
          <p class="quiet">
            {plural(features, 'recorded feature')}
            {checkout ? <> in {checkout}</> : <>; no checkout of this project was found on this machine</>}.
          </p>
        </>
      )}
    </Shown>
  );
}

function WaitingCard({ one }: { one: Waiting }) {
  return (
    <li class="card">
      <header>
        <Badge word={one.kind} label={KINDS[one.kind]} />
        {one.feature === null ? (
          <strong class="name">{short(one.title, 200)}</strong>
        ) : (
          <a class="name" href={link(`feature/${one.feature}`)}>
            {one.title === one.feature ? one.feature : `${one.feature}: ${short(one.title, 200)}`}
          </a>
        )}
        <Time at={one.at} />
      </header>
      <LongText text={one.text} most={400} />
      <Command text={one.command} />
    </li>
  );
}

const STEPS = ['began', 'planned', 'played', 'committed', 'verified', 'judged'];
const DOING: Readonly<Record<string, string>> = {
  began: 'The Player is planning or working',
  planned: 'The Player is working',
  played: 'Committing the turn',
  committed: 'Running the gates',
  verified: 'The Coach is judging',
  judged: 'Recording the verdict',
};

function RunningCard({ one }: { one: Running }) {
  const step = one.step === null ? -1 : STEPS.indexOf(one.step);
  return (
    <li class="card running">
      <header>
        <Badge word="running" label={one.kind === 'run' ? 'Run' : 'Build'} />
        {one.feature === null ? (
          <strong class="name">guardkit run{one.phase ? `, ${words(one.phase)}` : ''}</strong>
        ) : (
          <a class="name" href={link(`feature/${one.feature}${one.turn ? `/turn/${one.turn}` : ''}`)}>
            {one.feature}
            {one.task && one.task !== one.feature ? ` · ${one.task}` : ''}
            {one.turn ? ` · turn ${one.turn}` : ''}
          </a>
        )}
        <Elapsed since={one.since} />
      </header>
      {one.kind === 'build' && (
        <>
          <ol class="steps" aria-label="Steps of the turn">
            {STEPS.slice(1).map((name, index) => (
              <li key={name} class={index + 1 <= step ? 'done' : index === step ? 'doing' : ''}>
                {name}
              </li>
            ))}
          </ol>
          <p>{DOING[one.step ?? ''] ?? 'Starting'}.</p>
        </>
      )}
      {one.checks.length > 0 && (
        <ul class="checks">
          {one.checks.map(({ check, ok, found, at }) => (
            <li key={`${check} ${at}`}>
              <span class={ok ? 'icon good' : 'icon bad'} aria-hidden="true">
                {ok ? '✓' : '✗'}
              </span>
              <span>
                {short(check, 120)}: {short(found, 200)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Gates
        gates={Object.entries(one.gates).map(([gate, result]) => ({
          gate,
          result,
          required: null,
          reason: '',
        }))}
      />
      <footer>
        {(usd(one.cost_usd) || one.budget_usd !== null) && (
          <span>
            {usd(one.cost_usd) || '$0.00'} spent{one.budget_usd !== null && ` of ${usd(one.budget_usd)}`}
          </span>
        )}
        {one.max_turns !== null && <span>at most {plural(one.max_turns, 'turn')} per attempt</span>}
        <span>process {one.pid}</span>
      </footer>
    </li>
  );
}

/** Counts while it is shown. */
function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={since} title={`since ${new Date(since).toLocaleString()}`}>
      {duration(Math.max(0, Math.floor((now - Date.parse(since)) / 1000)))}
    </time>
  );
}

function Sessions({ status }: { status: StatusAnswer }) {
  const sessions = status.sessions.filter(({ driven }) => !driven);
  if (sessions.length === 0) return null;
  return (
    <Section title="Agent sessions" count={sessions.length}>
      <ul class="cards">
        {sessions.map(({ agent, session, checkout, since, feature }) => (
          <li class="card" key={session}>
            <header>
              <strong class="name">{agent}</strong>
              {feature && <a href={link(`feature/${feature}`)}>{feature}</a>}
              <Time at={since} />
            </header>
            <p class="quiet">{short(checkout, 300)}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Refusals({ status }: { status: StatusAnswer }) {
  if (status.refusals.length === 0) return null;
  return (
    <Section title="Latest refusals">
      <ul class="lines">
        {[...status.refusals].reverse().map(({ number, at, word, text }) => (
          <li key={number}>
            <Badge word={word} />
            <span class="grow">{short(text, 400)}</span>
            <Time at={at} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
