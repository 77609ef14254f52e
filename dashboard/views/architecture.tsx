import { useMemo, useState } from 'preact/hooks';
import type { ArchitectureAnswer } from '../../src/interfaces/dashboard/api/architecture-schema.ts';
import { link, route } from '../addresses.ts';
import { plural } from '../format.ts';
import { Badge, Command, Empty, Section, Shown, Time } from '../parts/basics.tsx';
import { Picture } from '../parts/picture.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { WindowedList } from '../parts/windowed-list.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';

const ROW_HEIGHT = 56;

/** The graph, coloured by change, with its faults and history. */
export function Architecture({ project, around }: { project: string; around: string | undefined }) {
  const from = route.value.query.get('from') ?? undefined;
  const reading = useRead<ArchitectureAnswer>(
    'architecture',
    {
      project,
      ...(from === undefined ? {} : { from }),
      ...(around === undefined ? {} : { around, depth: '2' }),
    },
    { keep: true },
  );
  return (
    <Shown reading={reading} waiting="Drawing the graph…">
      {(answer) => (
        <>
          <h1 class="hidden">Architecture</h1>
          {answer.graph === null && answer.faults.length === 0 ? (
            <>
              <Empty>
                This project has no architecture graph (.maestro/knowledge.dot). Add a first node:
              </Empty>
              <Command text='guardkit knowledge update add_node --name api-server --type component --level architecture --status current --description "…"' />
            </>
          ) : (
            <>
              <Summary answer={answer} around={around} />
              <Faults answer={answer} />
              {answer.picture === null ? (
                answer.why_no_picture && (
                  <p class="problem">
                    {short(answer.why_no_picture, 300)} Choose a node below to draw what is near it.
                  </p>
                )
              ) : (
                <Picture svg={answer.picture} label={labelOf(answer, around)} />
              )}
              <div class="sides wide-first">
                <Nodes nodes={answer.graph?.nodes ?? []} />
                <History answer={answer} from={from} around={around} />
              </div>
            </>
          )}
        </>
      )}
    </Shown>
  );
}

function labelOf({ graph }: ArchitectureAnswer, around: string | undefined): string {
  const size = `${plural(graph?.nodes.length ?? 0, 'node')} and ${plural(graph?.edges ?? 0, 'edge')}`;
  return `The architecture graph, ${size}${around === undefined ? '' : `, near ${around}`}. The nodes are listed below.`;
}

function Summary({
  answer: { graph, compared_with },
  around,
}: {
  answer: ArchitectureAnswer;
  around: string | undefined;
}) {
  const count = (change: string) => graph?.nodes.filter((node) => node.change === change).length ?? 0;
  return (
    <p class="summary">
      <strong>
        {plural(graph?.nodes.length ?? 0, 'node')}, {plural(graph?.edges ?? 0, 'edge')}
      </strong>
      {compared_with && (
        <span>
          since <code>{compared_with.slice(0, 8)}</code>: <span class="plus">{count('added')} added</span>,{' '}
          <span class="hint">{count('changed')} changed</span>,{' '}
          <span class="minus">{count('removed')} removed</span>
        </span>
      )}
      {around !== undefined && (
        <span>
          near <code>{short(around, 80)}</code> · <a href={link('architecture')}>show everything</a>
        </span>
      )}
    </p>
  );
}

function Faults({ answer: { faults, warnings } }: { answer: ArchitectureAnswer }) {
  const all = [
    ...faults.map((one) => ({ ...one, word: 'fail' })),
    ...warnings.map((one) => ({ ...one, word: 'warned' })),
  ];
  if (all.length === 0)
    return (
      <p class="quiet">
        <span class="icon good" aria-hidden="true">
          ✓
        </span>{' '}
        The graph has no faults.
      </p>
    );
  return (
    <details class="panel" open={faults.length > 0}>
      <summary>
        {plural(faults.length, 'fault')}, {plural(warnings.length, 'warning')}
      </summary>
      <ul class="plain-list">
        {all.map(({ word, code, message, line }) => (
          <li key={`${code} ${line} ${message}`}>
            <Badge word={word} label={word === 'fail' ? 'fault' : 'warning'} />{' '}
            {line !== null && `line ${line}: `}
            {short(message, 400)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Nodes({ nodes }: { nodes: NonNullable<ArchitectureAnswer['graph']>['nodes'] }) {
  const [search, setSearch] = useState('');
  const shown = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    const rank = { added: 0, changed: 1, removed: 2 };
    return nodes
      .filter((one) => `${one.id} ${one.type} ${one.description}`.toLowerCase().includes(wanted))
      .sort(
        (one, other) =>
          (one.change ? rank[one.change] : 3) - (other.change ? rank[other.change] : 3) ||
          one.id.localeCompare(other.id),
      );
  }, [nodes, search]);
  return (
    <Section title="Nodes" count={shown.length}>
      <SearchField what="nodes" value={search} onInput={setSearch} />
      <div class="node-list panel flat">
        <WindowedList
          items={shown}
          height={ROW_HEIGHT}
          label="Nodes of the graph"
          row={(one) => (
            <div class="node">
              <span class="top">
                {one.change === 'removed' ? (
                  <strong>{short(one.id, 80)}</strong>
                ) : (
                  <a href={link(`architecture/${encodeURIComponent(one.id)}`)}>{short(one.id, 80)}</a>
                )}
                {one.type && <span class="quiet">{short(one.type, 40)}</span>}
                {one.change && <Badge word={one.change} />}
                {one.status && one.status !== 'current' && <Badge word={one.status} />}
              </span>
              <span class="quiet clip">{short(one.description, 200)}</span>
            </div>
          )}
        />
      </div>
    </Section>
  );
}

function History({
  answer: { history, compared_with },
  from,
  around,
}: {
  answer: ArchitectureAnswer;
  from: string | undefined;
  around: string | undefined;
}) {
  const path = around === undefined ? 'architecture' : `architecture/${encodeURIComponent(around)}`;
  return (
    <Section title="History" count={history.length}>
      {history.length === 0 && <Empty>The graph was never committed.</Empty>}
      <ul class="lines">
        {history.map(({ commit, at, by, subject }) => (
          <li key={commit} class={commit === compared_with ? 'chosen' : ''}>
            <span class="grow">
              <a
                href={`${link(path)}&from=${commit}`}
                aria-current={commit === (from ?? compared_with) ? 'true' : undefined}
                title="Colour what changed since this commit"
              >
                {short(subject, 160) || commit.slice(0, 8)}
              </a>
              <span class="quiet block">
                <code>{commit.slice(0, 8)}</code> {short(by, 60)}
              </span>
            </span>
            <Time at={at} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
