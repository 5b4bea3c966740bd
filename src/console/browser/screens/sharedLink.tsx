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
 * Opens a shared link. Its key leaves the address at once, so that no history keeps it. The tab
 * keeps the key for a reload.
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
  // A viewer who is signed in needs no key.
  if (!key && phase === 'loading') return <Bones lines={5} />;
  return <SharedPages key={`${shareId} ${key}`} shareId={shareId} linkKey={key} />;
}
