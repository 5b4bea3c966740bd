import { browserHost } from '../pages/urls/urlHosts.ts';

/** A URL, and the way a page uses it. */
export interface ReferencedUrl {
  /** The URL as browsers read it: without extra white space, and with backslashes corrected. */
  url: string;
  /**
   * A `load` is an image, a sound or a font. An `embed` may load more files or run code. A `base`
   * is the start of relative URLs. A `mention` is a text that a script may use as a URL.
   */
  kind: 'link' | 'load' | 'embed' | 'base' | 'mention';
}

const withoutRequest = /^(mailto|tel|sms|about|blob|javascript|vbscript):/i;
const mediaData = /^data:(image|font|audio|video)\//i;

/**
 * The origin that a URL leads to: `//host` on the web, `scheme:` for other schemes; undefined for
 * the site itself and for URLs that cause no request, such as `mailto:`. For a document inside its
 * URL (`data:`), and for an unreadable web URL, the origin is the whole URL.
 */
export function referencedOrigin({ url, kind }: ReferencedUrl): string | undefined {
  const [scheme] = /^[a-z][a-z0-9+.-]*:/i.exec(url) ?? [];
  const webSchemes = kind === 'link' ? /^https?:$/i : /^(?:https?|wss?|ftp):$/i;
  const isWebUrl = scheme === undefined ? url.startsWith('//') : webSchemes.test(scheme);
  if (isWebUrl) return browserHost(url) ?? (kind === 'mention' ? undefined : url);
  if (scheme === undefined || kind === 'mention' || withoutRequest.test(url)) return undefined;
  if (kind === 'load' && mediaData.test(url)) return undefined;
  return /^data:$/i.test(scheme) ? url : scheme.toLowerCase();
}
