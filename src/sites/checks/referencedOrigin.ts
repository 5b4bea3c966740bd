import { browserHost } from '../pages/urls/urlHosts.ts';

/** An address, and the way a page uses it. */
export interface ReferencedUrl {
  /** The address as browsers read it: without extra white space, and with backslashes corrected. */
  url: string;
  /**
   * A `load` is an image, a sound or a font. An `embed` may load more files or run code. A `base`
   * is the start of relative addresses. A `mention` is a text that a script may use as an address.
   */
  kind: 'link' | 'load' | 'embed' | 'base' | 'mention';
}

const withoutRequest = /^(mailto|tel|sms|about|blob|javascript|vbscript):/i;
const mediaData = /^data:(image|font|audio|video)\//i;

/**
 * The origin that an address leads to: `//host` on the web, `scheme:` for others; undefined for the
 * site itself and for addresses without a request. For a document in its own address (`data:`), and
 * for an unreadable web address, it is the whole address.
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
