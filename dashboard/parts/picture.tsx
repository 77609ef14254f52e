import { useEffect, useRef, useState } from 'preact/hooks';

const STEP = 1.25;
const SMALLEST = 0.1;
const LARGEST = 8;

/** An SVG as an image, in which neither scripts nor links work. Zooms with buttons, keys and Ctrl with the wheel. */
export function Picture({ svg, label }: { svg: string; label: string }) {
  const [address, setAddress] = useState('');
  const [size, setSize] = useState<{ width: number; height: number } | undefined>();
  // Undefined: fits the width.
  const [zoom, setZoom] = useState<number | undefined>();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [svg]);
  const fit = size && box.current ? Math.min(1, box.current.clientWidth / size.width) : 1;
  const shown = zoom ?? fit;
  const scale = (by: number) => setZoom(Math.min(LARGEST, Math.max(SMALLEST, shown * by)));
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      scale(event.deltaY < 0 ? STEP : 1 / STEP);
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [shown]);
  return (
    <div class="picture">
      <div class="zoom">
        <button type="button" onClick={() => scale(1 / STEP)} aria-label="Zoom out">
          −
        </button>
        <button type="button" onClick={() => setZoom(undefined)}>
          {Math.round(shown * 100)} %
        </button>
        <button type="button" onClick={() => scale(STEP)} aria-label="Zoom in">
          +
        </button>
      </div>
      <section
        class="canvas"
        ref={box}
        aria-label="Picture of the graph"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
        onPointerDown={(event) => drag(event, box.current)}
      >
        {address !== '' && (
          <img
            src={address}
            alt={label}
            draggable={false}
            style={size ? { width: `${size.width * shown}px`, height: `${size.height * shown}px` } : {}}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize({ width: naturalWidth, height: naturalHeight })
            }
          />
        )}
      </section>
    </div>
  );
}

function drag(start: PointerEvent, box: HTMLElement | null): void {
  if (!box || start.button !== 0 || start.pointerType !== 'mouse') return;
  const { scrollLeft, scrollTop } = box;
  const move = (event: PointerEvent) => {
    box.scrollTo(scrollLeft + start.clientX - event.clientX, scrollTop + start.clientY - event.clientY);
  };
  const end = () => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', end);
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', end);
}
