import { escapeAttribute } from '../../formats/escape.ts';
import { markdownExtension } from '../../formats/paths.ts';
import { joinReference, parseReference } from './urls.ts';

/** The URL of a page's rendering: `./about.md#team` → `./about#team`. */
export function renderedUrl(url: string): string {
  const reference = parseReference(url);
  const { scheme, authority, path } = reference;
  if (scheme || authority || !markdownExtension.test(path)) return url;
  const newPath = path.replace(markdownExtension, '').replace(/(^|\/)_?index$/i, '$1');
  return joinReference({ ...reference, path: newPath || './' });
}

/** A URL for an attribute; `#` for one that could run a script. */
export const safeUrl = (url: string) =>
  /^(?:https?:|mailto:|tel:|[^:]*$|[^:/?#]*[/?#])/i.test(url.trim())
    ? escapeAttribute(url, '"')
    : '#';
