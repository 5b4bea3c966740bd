import { useLayoutEffect } from 'preact/hooks';
import { session } from '../client/session.ts';
import { lazy } from '../lazy.tsx';
import { navigate } from '../router.ts';
import { useStore } from '../store.ts';
import { tabMemory } from '../tabMemory.ts';
import { Bones } from '../ui/states.tsx';

const SharedPages = lazy(() => import('./sharedPages.tsx'), 'SharedPages');

const keyOf = (hash: string) => new URLSearchParams(hash.slice(1)).get('key') ?? '';

/**
 * The key leaves the address at once, so that it stays in no history. The tab keeps it for when it
 * is loaded again.
 */
export function SharedLink({ shareId, hash }: { shareId: string; hash: string }) {
  const given = keyOf(hash);
  const name = `share ${shareId}`;
  const key = given || (tabMemory.get(name) ?? '');
  const { phase } = useStore(session);
  useLayoutEffect(() => {
    if (given) tabMemory.set(name, given);
    if (hash) navigate(location.pathname, { replace: true });
  }, [hash]);
  if (!key && phase === 'loading') return <Bones lines={5} />; // a viewer needs no key
  return <SharedPages key={`${shareId} ${key}`} shareId={shareId} linkKey={key} />;
}
