import { useMemo, useState } from 'preact/hooks';
import type { DiffAnswer } from '../../src/interfaces/dashboard/api/schemas.ts';
import { plural } from '../format.ts';
import { type DiffLine, parseDiff } from '../parse-diff.ts';
import { Empty, Shown } from '../parts/basics.tsx';
import { WindowedList } from '../parts/windowed-list.tsx';
import { short } from '../printable.ts';
import { useRead } from '../use-read.ts';

interface TurnName {
  project: string;
  feature: string;
  task: string;
  turn: number;
}

/** The files of a turn; a file's diff is read when it is opened. */
export function Diff(name: TurnName) {
  const reading = useRead<DiffAnswer>('diff', { ...name, turn: String(name.turn) }, { live: false });
  return (
    <div class="diff">
      <h4>Changes</h4>
      <Shown reading={reading}>
        {({ files }) =>
          files.length === 0 ? (
            <Empty>The turn changed no file.</Empty>
          ) : (
            files.map((file) => <File key={file.path} name={name} file={file} />)
          )
        }
      </Shown>
    </div>
  );
}

function File({ name, file }: { name: TurnName; file: DiffAnswer['files'][number] }) {
  const [open, setOpen] = useState(false);
  const { path, added, removed, folded } = file;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="file">{short(path, 300)}</span>{' '}
        {added === null ? (
          <span class="quiet">not text</span>
        ) : (
          <>
            <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
          </>
        )}
        {folded && <span class="quiet"> lock or generated file</span>}
      </summary>
      {open && <Lines name={name} path={path} />}
    </details>
  );
}

const LINE_HEIGHT = 20;
const MOST_CHARACTERS = 2000;

function Lines({ name, path }: { name: TurnName; path: string }) {
  const reading = useRead<DiffAnswer>(
    'diff',
    { ...name, turn: String(name.turn), file: path },
    { live: false },
  );
  return (
    <Shown reading={reading}>
      {({ text, cut }) => (
        <>
          <Hunks text={text ?? ''} path={path} />
          {cut && <Empty>The diff is too large; the rest is left out.</Empty>}
        </>
      )}
    </Shown>
  );
}

function Hunks({ text, path }: { text: string; path: string }) {
  const lines = useMemo(() => parseDiff(text), [text]);
  if (lines.length === 0) return <Empty>Only its mode changed.</Empty>;
  return (
    <div class="hunks" style={{ height: `${Math.min(lines.length, 30) * LINE_HEIGHT + 16}px` }}>
      <WindowedList
        items={lines}
        height={LINE_HEIGHT}
        label={`Diff of ${short(path, 100)}, ${plural(lines.length, 'line')}`}
        row={(line) => <Line line={line} />}
      />
    </div>
  );
}

const SIGNS = { added: '+', removed: '−', same: ' ', hunk: '', note: '' } as const;

function Line({ line: { kind, before, after, text } }: { line: DiffLine }) {
  return (
    <div class={`line ${kind}`}>
      <span class="at">{before ?? ''}</span>
      <span class="at">{after ?? ''}</span>
      <span class="sign">{SIGNS[kind]}</span>
      <span class="content">{short(text, MOST_CHARACTERS)}</span>
    </div>
  );
}
