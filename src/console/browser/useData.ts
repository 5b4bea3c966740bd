import { useEffect, useRef, useState } from 'preact/hooks';
import type { SiteSummary } from '../../contract/responses.ts';
import { type HostPath, hostPath } from '../../browser/hostPath.ts';
import { listen } from './listen.ts';
import { api } from './client/api.ts';
import { type QueryFields, queryString } from '../../browser/sendRequest.ts';
import { session } from './client/session.ts';

/** The last responses by key. A screen that is opened again shows them while it loads. */
let cachedAnswers = new Map<string, unknown>();

/** Removes all responses. Those to requests that are under way are not cached either. */
export const forgetData = () => void (cachedAnswers = new Map());

/** Removes all responses on sign-out, so that the next person sees none of them. */
session.listen(() => {
  if (session.get().phase === 'out') forgetData();
});

/**
 * Milliseconds after which the pages of a share link are read again. The URLs of the editor work
 * for ten minutes, so this gets new ones in time. It also notices that the link has ended.
 */
export const SHARED_PAGES_ANEW_MS = 4 * 60_000;

/** Data that a component shows. Without `data` and `error`, it is being loaded. */
export interface LoadedData<T> {
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
): LoadedData<T> {
  const [state, setState] = useState<{ key: string; data: T | undefined; error: unknown }>();
  const [round, setRound] = useState(0);
  const latestLoad = useRef(load);
  latestLoad.current = load;
  useEffect(() => {
    const disconnection = new AbortController();
    const answers = cachedAnswers;
    latestLoad
      .current(disconnection.signal)
      .then((data) => {
        answers.set(key, data);
        if (!disconnection.signal.aborted) setState({ key, data, error: undefined });
      })
      .catch((error: unknown) => {
        if (!disconnection.signal.aborted)
          setState({ key, data: cachedAnswers.get(key) as T | undefined, error });
      });
    return () => disconnection.abort();
  }, [key, round]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const reloadIfVisible = () => document.hidden || setRound((roundBefore) => roundBefore + 1);
    const reloadTimer = setInterval(reloadIfVisible, everyMs);
    const stopListening = listen(['visibilitychange'], reloadIfVisible);
    return () => {
      clearInterval(reloadTimer);
      stopListening();
    };
  }, [everyMs]);
  const currentState =
    state?.key === key
      ? state
      : { data: cachedAnswers.get(key) as T | undefined, error: undefined };
  return {
    ...currentState,
    reload: () => setRound((roundBefore) => roundBefore + 1),
    set(data) {
      cachedAnswers.set(key, data);
      setState({ key, data, error: undefined });
    },
  };
}

/** Loads the response to one GET request to the API, with `useData`. */
export const useAnswer = <T>(
  apiPath: HostPath,
  query: QueryFields = {},
  everyMs?: number,
): LoadedData<T> =>
  useData(
    `answer ${apiPath.toString()}${queryString(query)}`,
    (signal) => api(apiPath, { query, signal }),
    everyMs,
  );

export interface LoadedList<T> extends Omit<LoadedData<T[]>, 'set'> {
  /** Loads the next part; undefined at the end. */
  more: (() => Promise<void>) | undefined;
}

/**
 * Loads a list of the API part by part.
 * @param name the field of the response that holds the items
 */
export function useList<T>(
  path: HostPath,
  name: string,
  fields: QueryFields = {},
  everyMs?: number,
): LoadedList<T> {
  const readPart: ListPartReader<T> = async (cursor, signal) => {
    const query = { ...fields, cursor };
    const answerPart: Record<string, unknown> = await api(
      path,
      signal ? { query, signal } : { query },
    );
    return { items: answerPart[name] as T[], cursor: answerPart['nextCursor'] as string | null };
  };
  return useListOf(`${path.toString()}${queryString(fields)}`, readPart, everyMs);
}

/** The organization's sites, to choose from. */
export const useSites = () => useList<SiteSummary>(hostPath`/sites`, 'sites', { limit: 100 });

type ListPartReader<T> = (
  cursor?: string,
  signal?: AbortSignal,
) => Promise<{ items: T[]; cursor: string | null }>;

/** Loads a list part by part with `readPart`, and caches the first part under `key`. */
export function useListOf<T>(
  key: string,
  readPart: ListPartReader<T>,
  everyMs?: number,
): LoadedList<T> {
  const [extraPart, setExtra] = useState<{ of: string; items: T[]; cursor: string | null }>();
  const { data, error, reload } = useData(key, (signal) => readPart(undefined, signal), everyMs);
  const addedPart = extraPart?.of === key ? extraPart : undefined;
  const cursor = addedPart ? addedPart.cursor : (data?.cursor ?? null);
  const readMore = async (cursorBefore: string) => {
    const nextPart = await readPart(cursorBefore);
    setExtra({
      of: key,
      items: [...(addedPart?.items ?? []), ...nextPart.items],
      cursor: nextPart.cursor,
    });
  };
  return {
    data: data && [...data.items, ...(addedPart?.items ?? [])],
    error,
    reload: () => {
      setExtra(undefined);
      reload();
    },
    more: cursor === null ? undefined : () => readMore(cursor),
  };
}
