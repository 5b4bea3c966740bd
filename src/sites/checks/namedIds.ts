import type { PageSource } from '../formats/format.ts';

const NAMED_ID = /#([\w-]{1,100})|getElementById\(\s{0,9}['"`]([^'"`\n]{1,100})['"`]/g;

/** Those of the given ids that a script or a page names, as `#menu` or `getElementById('menu')`. */
export function findNamedIds({ source }: PageSource, ids: string[]): string[] {
  const namedIds = new Set([...source.matchAll(NAMED_ID)].map(([, hash, id]) => hash ?? id));
  return ids.filter((id) => namedIds.has(id));
}
