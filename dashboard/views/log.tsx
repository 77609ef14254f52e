import { useState } from 'preact/hooks';
import { Badge, Empty, Shown, Time } from '../parts/basics.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';

interface LogAnswer {
  events: { number: number; at: string; kind: string; word: string; text: string; who: string[] }[];
}

/** Refusals, restores, changes, waivers, acceptances and pauses, the newest first. */
export function Log({ project }: { project: string }) {
  const reading = useRead<LogAnswer>('log', { project });
  const [kind, setKind] = useState('all');
  return (
    <Shown reading={reading}>
      {({ events }) => {
        const kinds = ['all', ...new Set(events.map((event) => event.kind))];
        const shown = events.filter((event) => kind === 'all' || event.kind === kind).reverse();
        return (
          <>
            <h1 class="hidden">Log</h1>
            {events.length === 0 ? (
              <Empty>Nothing was refused, restored, waived or accepted yet.</Empty>
            ) : (
              <fieldset class="chips">
                <legend class="hidden">Kind</legend>
                {kinds.map((name) => (
                  <button type="button" key={name} aria-pressed={kind === name} onClick={() => setKind(name)}>
                    {name}
                  </button>
                ))}
              </fieldset>
            )}
            <ul class="lines">
              {shown.map(({ number, at, word, text }) => (
                <li key={number}>
                  <Badge word={word} />
                  <span class="grow">{short(text, 500)}</span>
                  <Time at={at} />
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Shown>
  );
}
