/** How things are called. Imports nothing, so that tests outside of a browser can read it. */

export const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

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

/** What a version of a site is: the first line of its commit. Of our own tasks, the pages that it changed. */
export function versionName(message: string | null | undefined): string {
  const line = message?.split('\n')[0] || 'Published';
  const [, ...counts] = /^[^(]*(?:\(s\) )?\((\d+) created, (\d+) modified, (\d+) deleted\)$/.exec(line) ?? [];
  const said = ['created', 'changed', 'deleted'].flatMap((word, at) =>
    Number(counts[at] ?? 0) > 0 ? `${count(Number(counts[at]), 'page')} ${word}` : [],
  );
  return said.join(', ') || line;
}

/** A note, with the name that the console has for a field of the API. */
export const noteWords = (text: string) => text.replace('"linkFrom"', '“Page that links to the new ones”');
