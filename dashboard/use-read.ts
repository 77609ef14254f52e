import { useEffect, useReducer, useRef } from 'preact/hooks';
import { ApiError, read } from './api.ts';
import { changes } from './live.ts';

export interface Reading<Answer> {
  data: Answer | undefined;
  error: ApiError | undefined;
  loading: boolean;
  /** Reads again. */
  reload(): void;
}

interface State<Answer> {
  key: string | undefined;
  data: Answer | undefined;
  error: ApiError | undefined;
  /** At most one read at a time; changes in the meantime cause one more. */
  reading: boolean;
  again: boolean;
}

export interface ReadOptions {
  /** Read again when the ledger changes (default: true). */
  live?: boolean;
  /** Show the answer for earlier parameters until the new one is there. */
  keep?: boolean;
}

/** Reads, and reads again when the ledger changes; what is shown stays until the answer is there. */
export function useRead<Answer>(
  name: string,
  parameters: Record<string, string> | undefined,
  { live = true, keep = false }: ReadOptions = {},
): Reading<Answer> {
  const key = parameters && `${name} ${JSON.stringify(parameters)}`;
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  const state = useRef<State<Answer>>({
    key: undefined,
    data: undefined,
    error: undefined,
    reading: false,
    again: false,
  }).current;
  if (state.key !== key) {
    const data = keep ? state.data : undefined;
    Object.assign(state, { key, data, error: undefined, reading: false, again: false });
  }

  const load = async () => {
    if (!parameters) return;
    state.again = state.reading;
    if (state.reading) return;
    state.reading = true;
    try {
      const data = await read<Answer>(name, parameters);
      if (state.key === key) Object.assign(state, { data, error: undefined });
    } catch (error) {
      const known = error instanceof ApiError ? error : new ApiError(0, 'failed', String(error), '');
      if (state.key === key) state.error = known;
    }
    if (state.key !== key) return;
    state.reading = false;
    redraw();
    if (state.again) void load();
  };

  const change = live ? changes.value : 0;
  useEffect(() => {
    void load();
  }, [key, change]);
  return {
    data: state.data,
    error: state.error,
    loading: state.reading || (state.data === undefined && state.error === undefined),
    reload: () => {
      void load();
      redraw();
    },
  };
}
