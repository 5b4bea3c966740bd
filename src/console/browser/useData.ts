import { useEffect, useRef, useState } from 'preact/hooks';
import type { Site } from '../../contract/answers.ts';
import { type Path, path } from '../../browser/path.ts';
import { listen } from './listen.ts';
import { api } from './client/api.ts';
import { type Fields, queryOf } from '../../browser/http.ts';
import { session } from './client/session.ts';

/** The last answers, by key. A screen that is opened again shows them while it loads. */
const known = new Map<string, unknown>();

export const forgetData = () => known.clear();

/** Forgets all answers on sign-out, so that the next person sees none of them. */
session.listen(() => {
  if (session.get().phase === 'out') forgetData();
});

export interface Data<T> {
  data: T | undefined;
  error: unknown;
  reload: () => void;
  set: (data: T) => void;
}

/**
 * Loads data, and caches it under `key`.
 * @param everyMs milliseconds after which the data is loaded again while the page is visible. With
 *   it, the data is also loaded again when the page becomes visible. undefined: it is loaded once
 */
export function useData<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
): Data<T> {
  const [state, setState] = useState<{ key: string; data: T | undefined; error: unknown }>();
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const gone = new AbortController();
    latest
      .current(gone.signal)
      .then((data) => {
        known.set(key, data);
        if (!gone.signal.aborted) setState({ key, data, error: undefined });
      })
      .catch((error: unknown) => {
        if (!gone.signal.aborted) setState({ key, data: known.get(key) as T | undefined, error });
      });
    return () => gone.abort();
  }, [key, round]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const again = () => document.hidden || setRound((count) => count + 1);
    const timer = setInterval(again, everyMs);
    const stop = listen(['visibilitychange'], again);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [everyMs]);
  const current =
    state?.key === key ? state : { data: known.get(key) as T | undefined, error: undefined };
  return {
    ...current,
    reload: () => setRound((count) => count + 1),
    set(data) {
      known.set(key, data);
      setState({ key, data, error: undefined });
    },
  };
}

/** Loads one answer of the API. */
export const useAnswer = <T>(to: Path, query: Fields = {}, everyMs?: number): Data<T> =>
  useData(
    `answer ${to.toString()}${queryOf(query)}`,
    (signal) => api(to, { query, signal }),
    everyMs,
  );

export interface List<T> extends Omit<Data<T[]>, 'set'> {
  /** Loads the next part; undefined at the end. */
  more: (() => Promise<void>) | undefined;
}

/**
 * Loads a list of the API part by part.
 * @param name the field of the answer that holds the items
 */
export function useList<T>(
  path: Path,
  name: string,
  fields: Fields = {},
  everyMs?: number,
): List<T> {
  const read: ReadPart<T> = async (cursor, signal) => {
    const query = { ...fields, cursor };
    const part: Record<string, unknown> = await api(path, signal ? { query, signal } : { query });
    return { items: part[name] as T[], cursor: part['nextCursor'] as string | null };
  };
  return useListOf(`${path.toString()}${queryOf(fields)}`, read, everyMs);
}

/** The organization's sites, to choose from. */
export const useSites = () => useList<Site>(path`/sites`, 'sites', { limit: 100 });

type ReadPart<T> = (
  cursor?: string,
  signal?: AbortSignal,
) => Promise<{ items: T[]; cursor: string | null }>;

/** Loads a list part by part with `read`, and caches the first part under `key`. */
export function useListOf<T>(key: string, read: ReadPart<T>, everyMs?: number): List<T> {
  const [extra, setExtra] = useState<{ of: string; items: T[]; cursor: string | null }>();
  const { data, error, reload } = useData(key, (signal) => read(undefined, signal), everyMs);
  const added = extra?.of === key ? extra : undefined;
  const cursor = added ? added.cursor : (data?.cursor ?? null);
  const readMore = async (from: string) => {
    const part = await read(from);
    setExtra({ of: key, items: [...(added?.items ?? []), ...part.items], cursor: part.cursor });
  };
  return {
    data: data && [...data.items, ...(added?.items ?? [])],
    error,
    reload: () => {
      setExtra(undefined);
      reload();
    },
    more: cursor === null ? undefined : () => readMore(cursor),
  };
}
