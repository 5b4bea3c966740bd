/** How things are called. Imports nothing, so that tests outside of a browser can read it. */

export const count = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`;

/** What stands for the address of a repository on the server's own disk. */
export const LOCAL = 'local';

/** "acme/website" of a repository's address. */
export function repositoryName(url: string): string {
  if (url === LOCAL) return 'On this server';
  const path = decoded(URL.canParse(url) ? new URL(url).pathname : url.slice(url.indexOf(':') + 1));
  const last = path.split('/').filter(Boolean).slice(-2).join('/');
  return last.endsWith('.git') ? last.slice(0, -4) : last;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const NAMED = 3;
const listed = (slugs: string[]) =>
  slugs.slice(0, NAMED).join(', ') +
  (slugs.length > NAMED ? ` and ${slugs.length - NAMED} more` : '');

/** What instructions would do: "This changes 14 pages: /, /about, /blog and 11 more." */
export function changedWords(changes: {
  pagesCreated: string[];
  pagesModified: string[];
  pagesDeleted: string[];
}) {
  const parts = [
    ['makes', changes.pagesCreated],
    ['changes', changes.pagesModified],
    ['deletes', changes.pagesDeleted],
  ] as const;
  const said = parts.flatMap(([does, slugs]) => {
    if (slugs.length === 0) return [];
    return slugs.length === 1
      ? [`${does} ${slugs[0]}`]
      : [`${does} ${count(slugs.length, 'page')}: ${listed(slugs)}`];
  });
  return said.length > 0 ? `This ${said.join('; ')}.` : 'This changes nothing.';
}

/** A prompt with other words for the part that was not understood. */
export function withInstead(prompt: string, { part }: { part?: string }, instead: string): string {
  const at = part === undefined ? -1 : prompt.indexOf(part);
  return at === -1 ? instead : prompt.slice(0, at) + instead + prompt.slice(at + part!.length);
}
