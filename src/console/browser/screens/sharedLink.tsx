import { useLayoutEffect, useState } from 'preact/hooks';
import { lazy } from '../lazy.tsx';
import { navigate } from '../router.ts';

const SharedPages = lazy(() => import('./sharedPages.tsx').then((module) => module.SharedPages));

const keyOf = (hash: string) => new URLSearchParams(hash.slice(1)).get('key') ?? '';

/** The key leaves the address at once, so that it stays in no history. It is in memory only. */
export function SharedLink({ shareId, hash }: { shareId: string; hash: string }) {
  const given = keyOf(hash);
  const [key, setKey] = useState(given);
  useLayoutEffect(() => {
    if (given) setKey(given);
    if (hash) navigate(location.pathname, { replace: true });
  }, [hash]);
  return <SharedPages key={`${shareId} ${key}`} shareId={shareId} linkKey={key} />;
}
