import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ago, words } from '../format.ts';
import { short } from '../printable.ts';
import type { Reading } from '../use-read.ts';

/** How a word is coloured. */
type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'plain';

const TONES: Readonly<Record<string, Tone>> = {
  pass: 'good',
  approved: 'good',
  completed: 'good',
  verified: 'good',
  implemented: 'good',
  tested: 'good',
  fail: 'bad',
  failed: 'bad',
  rejected: 'bad',
  blocked: 'bad',
  escalated: 'bad',
  max_turns: 'bad',
  budget: 'bad',
  refused: 'bad',
  found: 'bad',
  error: 'bad',
  warning: 'warn',
  removed: 'bad',
  enforce: 'good',
  deny: 'good',
  added: 'good',
  falling: 'good',
  rising: 'bad',
  asked: 'warn',
  warned: 'warn',
  warn: 'warn',
  waived: 'calm',
  watched: 'plain',
  feedback: 'warn',
  stopped: 'warn',
  restored: 'warn',
  changed: 'warn',
  cancelled: 'warn',
  attestation: 'bad',
  definition: 'warn',
  protection: 'warn',
  in_progress: 'calm',
  review: 'calm',
  guard: 'calm',
  running: 'calm',
};

export function Badge({ word, label }: { word: string; label?: string }) {
  return <span class={`badge ${TONES[word] ?? 'plain'}`}>{label ?? words(short(word, 40))}</span>;
}

/** Relative, with the exact time on hover. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return null;
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  return (
    <time dateTime={at} title={date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })}>
      {ago(at)}
    </time>
  );
}

/** A command for a person to run: the dashboard itself decides nothing. */
export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <div class="command">
      <code>{text}</code>
      <button type="button" onClick={copy} aria-label={`Copy: ${text}`}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

/** Text of agents and files, as it is; long text is folded. */
export function LongText({ text, most = 1200 }: { text: string; most?: number }) {
  const [whole, setWhole] = useState(false);
  if (text.trim() === '') return null;
  const cut = !whole && text.length > most;
  return (
    <div class="text">
      {cut ? short(text, most) : text}
      {cut && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all ({text.length.toLocaleString()} characters)
        </button>
      )}
    </div>
  );
}

export function Section({
  title,
  count,
  children,
}: {
  title: string;
  count?: number | undefined;
  children: ComponentChildren;
}) {
  return (
    <section>
      <h2>
        {title}
        {count !== undefined && <span class="count">{count}</span>}
      </h2>
      {children}
    </section>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** Shows a reading: its error, that it loads, or its data. */
export function Shown<Answer>({
  reading,
  waiting = 'Loading…',
  children,
}: {
  reading: Reading<Answer>;
  waiting?: string;
  children: (data: Answer) => ComponentChildren;
}) {
  const { data, error, reload } = reading;
  return (
    <>
      {error && (
        <div class="problem" role="alert">
          <strong>{short(error.message, 500) || 'Reading failed.'}</strong>
          {error.hint !== '' && <span>{short(error.hint, 500)}</span>}
          <button type="button" onClick={reload}>
            Try again
          </button>
        </div>
      )}
      {data === undefined
        ? !error && (
            <p class="loading" role="status">
              {waiting}
            </p>
          )
        : children(data)}
    </>
  );
}
