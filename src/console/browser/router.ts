import { decodeForPeople } from '../../browser/hostPath.ts';
import { isScreen } from './screenPaths.ts';
import { createStore, useStore } from './store.ts';

const currentPlace = () => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
  hash: location.hash,
});
const placeStore = createStore(currentPlace());

addEventListener('popstate', () => placeStore.set(currentPlace()));

/** The path, the query and the hash of the current URL, for a component that follows them. */
export const usePlace = () => useStore(placeStore);

/** Opens a screen of the console without loading a page. Loads any other path as a page. */
export function navigate(target: string, { replace = false } = {}): void {
  if (!isScreen(new URL(target, location.origin).pathname))
    return location[replace ? 'replace' : 'assign'](target);
  if (target === location.pathname + location.search && !replace) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', target);
  placeStore.set(currentPlace());
}

/** Changes fields of the URL's query. Fields without a value are removed. */
export function setQuery(fields: Record<string, string>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(fields))
    if (value) query.set(name, value);
    else query.delete(name);
  const queryText = query.toString();
  navigate(location.pathname + (queryText && `?${queryText}`), { replace: true });
}

/** Handles clicks on links: a link to a screen does not load the page again. */
export function followLinks(event: MouseEvent): void {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (
    !link ||
    link.target ||
    link.origin !== location.origin ||
    !isScreen(link.pathname) ||
    link.download
  )
    return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}

/**
 * Matches a path with a pattern: `/sites/:siteId` and `/sites/42` → `{ siteId: '42' }`
 * @returns undefined if the path does not match
 */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [names, values] = [pattern.split('/'), path.split('/')];
  if (names.length !== values.length) return undefined;
  const namedValues: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index]!;
    if (name.startsWith(':') && value) namedValues[name.slice(1)] = decodeForPeople(value);
    else if (name !== value) return undefined;
  }
  return namedValues;
}
