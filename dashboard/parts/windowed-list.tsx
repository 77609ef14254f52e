import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows drawn beyond the visible ones. */
const BEYOND = 8;

/** A scrolling list that draws only what is visible. Rows have one height. */
export function WindowedList<Item>({
  items,
  height,
  label,
  row,
}: {
  items: readonly Item[];
  height: number;
  label: string;
  row: (item: Item, index: number) => ComponentChildren;
}) {
  const box = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, rows: 30 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => {
      const top = Math.floor(element.scrollTop / height);
      const rows = Math.ceil(element.clientHeight / height);
      setView((before) => (before.top === top && before.rows === rows ? before : { top, rows }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [height]);
  const first = Math.max(0, Math.min(view.top - BEYOND, items.length - 1));
  const last = Math.min(items.length, view.top + view.rows + BEYOND);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="windowed" ref={box} aria-label={label} tabIndex={0}>
      <ul class="space" style={{ height: `${items.length * height}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li
            class="slot"
            key={first + index}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ top: `${(first + index) * height}px`, height: `${height}px` }}
          >
            {row(item, first + index)}
          </li>
        ))}
      </ul>
    </section>
  );
}
