import { decoded } from '../../browser/path.ts';
import { isScreen } from './screenPaths.ts';
import { createStore, useStore } from './store.ts';

const here = () => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
  hash: location.hash,
});
const place = createStore(here());

addEventListener('popstate', () => place.set(here()));

/** The current address. */
export const usePlace = () => useStore(place);

/** Goes to a screen of the console. Any other path of this host is loaded as a page. */
export function navigate(to: string, { replace = false } = {}): void {
  if (!isScreen(new URL(to, location.origin).pathname))
    return location[replace ? 'replace' : 'assign'](to);
  if (to === location.pathname + location.search && !replace) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  place.set(here());
}

/** Changes fields of the address's query. Fields without a value are removed. */
export function setQuery(fields: Record<string, string>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(fields))
    if (value) query.set(name, value);
    else query.delete(name);
  const text = query.toString();
  navigate(location.pathname + (text && `?${text}`), { replace: true });
}

/** Follows links to screens without loading the page again. */
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

/** The values of a pattern's `:names` in a path; undefined if the path does not match. */
export function matched(pattern: string, path: string): Record<string, string> | undefined {
  const [names, values] = [pattern.split('/'), path.split('/')];
  if (names.length !== values.length) return undefined;
  const found: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const value = values[at]!;
    if (name.startsWith(':') && value) found[name.slice(1)] = decoded(value);
    else if (name !== value) return undefined;
  }
  return found;
}
