import { REDIRECTS, VERCEL } from './hostFileNames.ts';
import { readRedirectLine } from './redirectLines.ts';
import { prepareRules, type PreparedRule, type Redirect } from './redirects.ts';
import { vercelRedirects } from './vercelRedirects.ts';

/** Reads the rules that apply to every visitor. @param sources the host files, by their paths */
export function readHostFiles(sources: ReadonlyMap<string, string>): PreparedRule[] {
  return prepareRules([
    ...redirectsIn(sources.get(REDIRECTS) ?? ''),
    ...vercelRedirects(sources.get(VERCEL) ?? ''),
  ]);
}

const redirectsIn = (source: string): Redirect[] =>
  source
    .split('\n')
    .map(readRedirectLine)
    .filter((rule) => rule !== null)
    .filter(({ isPlain }) => isPlain);
