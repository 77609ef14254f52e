import { useState } from 'preact/hooks';
import type { EpisodeAnswer } from '../../src/interfaces/dashboard/api/memory-schema.ts';
import { link } from '../addresses.ts';
import { plural, words } from '../format.ts';
import { Badge, Empty, LongText, Section, Shown, Time } from '../parts/basics.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';

type Version = EpisodeAnswer['versions'][number];

/** An entity: its fields, its versions with their differences, and its relations. */
export function EpisodeView({ project, group, id }: { project: string; group: string; id: string }) {
  // A relation names no group.
  const reading = useRead<EpisodeAnswer>('episode', { project, id, ...(group === '-' ? {} : { group }) });
  const [chosen, setChosen] = useState(0);
  return (
    <>
      <p class="crumbs">
        <a href={link('memory')}>Memory</a> / {short(id, 100)}
      </p>
      <Shown reading={reading}>
        {(episode) => {
          const version = episode.versions[chosen] ?? episode.versions[0];
          return (
            <>
              <header class="feature-head">
                <h1>{short(episode.name || episode.entity_id, 300)}</h1>
                <p class="meta">
                  <Badge word={episode.entity_type} />
                  <code>{short(episode.entity_id, 120)}</code>
                  <span>{episode.group}</span>
                  <span>{plural(episode.versions.length, 'version')}</span>
                  {episode.others.map((other) => (
                    <a
                      key={`${other.group} ${other.entity_id}`}
                      href={link(
                        `episode/${encodeURIComponent(other.group)}/${encodeURIComponent(other.entity_id)}`,
                      )}
                    >
                      also {short(other.entity_id, 80)} in {other.group}
                    </a>
                  ))}
                </p>
              </header>
              <Versions versions={episode.versions} chosen={chosen} onChoose={setChosen} />
              {version && <Fields version={version} />}
              {version && version.changes.length > 0 && <Changes version={version} />}
              <Links links={episode.links} />
            </>
          );
        }}
      </Shown>
    </>
  );
}

function Versions({
  versions,
  chosen,
  onChoose,
}: {
  versions: readonly Version[];
  chosen: number;
  onChoose(index: number): void;
}) {
  return (
    <ol class="timeline" aria-label="Versions">
      {versions.map((one, index) => (
        <li key={one.uuid}>
          <button
            type="button"
            class="version"
            aria-pressed={index === chosen}
            onClick={() => onChoose(index)}
          >
            <strong>{one.expired_at === null ? 'current' : `version ${versions.length - index}`}</strong>
            <span class="quiet">
              <Time at={one.valid_at} /> by {short(one.source, 40)}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function Changes({ version }: { version: Version }) {
  return (
    <Section title="Changed in this version" count={version.changes.length}>
      <dl class="changes panel">
        {version.changes.map(({ path, before, after }) => (
          <div key={path}>
            <dt>{breakable(short(path, 120))}</dt>
            <dd>
              {before !== null && <del class="line removed">{short(before, 2000)}</del>}
              {after !== null && <ins class="line added">{short(after, 2000)}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** A path may break after each dot. */
function breakable(path: string) {
  return path.split('.').flatMap((part, index) => (index === 0 ? [part] : ['.', <wbr key={part} />, part]));
}

function Fields({ version }: { version: Version }) {
  return (
    <Section title="Content">
      <dl class="fields panel">
        {version.body.map(({ field, value }) => (
          <div key={field}>
            <dt>{short(words(field), 80)}</dt>
            <dd class={/^[[{]/.test(value) ? 'json' : ''}>
              <LongText text={value} most={1500} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        True from <time dateTime={version.valid_at}>{new Date(version.valid_at).toLocaleString()}</time>
        {version.invalid_at && <> until {new Date(version.invalid_at).toLocaleString()}</>}, written{' '}
        <Time at={version.created_at} />.
      </p>
    </Section>
  );
}

function Links({ links }: { links: EpisodeAnswer['links'] }) {
  const into = links.filter(({ direction }) => direction === 'in');
  const out = links.filter(({ direction }) => direction === 'out');
  return (
    <div class="sides spaced">
      <LinkList title="Leads here" links={into} />
      <LinkList title="Leads to" links={out} />
    </div>
  );
}

function LinkList({ title, links }: { title: string; links: EpisodeAnswer['links'] }) {
  return (
    <section class="panel">
      <h2>
        {title} <span class="count">{links.length}</span>
      </h2>
      {links.length === 0 && <Empty>Nothing.</Empty>}
      <ul class="plain-list">
        {links.map(({ relation, id, group }) => (
          <li key={`${relation} ${id}`}>
            <span class="quiet">{words(relation)}</span>{' '}
            {group === null ? (
              <span title="Nothing is stored about it">{short(id, 120)}</span>
            ) : (
              <a href={link(`episode/${encodeURIComponent(group)}/${encodeURIComponent(id)}`)}>
                {short(id, 120)}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
