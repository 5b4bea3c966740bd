import { hostOf } from '../pages/urlHosts.ts';

/** An address, and the way a page uses it. */
export interface Address {
  /** The address as browsers read it: without extra white space, and with backslashes corrected. */
  url: string;
  /**
   * A `load` is an image, a sound or a font. An `embed` may load more files or run code. A `base`
   * is the start of relative addresses. A `mention` is a text that a script may use as an address.
   */
  kind: 'link' | 'load' | 'embed' | 'base' | 'mention';
}

const asksNobody = /^(mailto|tel|sms|about|blob|javascript|vbscript):/i;
const isMedium = /^data:(image|font|audio|video)\//i;

/**
 * The origin that an address leads to: `//host` on the web, `scheme:` for others; undefined for the
 * site itself and for addresses without a request. For a document in its own address (`data:`), and
 * for an unreadable web address, it is the whole address.
 */
export function originOf({ url, kind }: Address): string | undefined {
  const [scheme] = /^[a-z][a-z0-9+.-]*:/i.exec(url) ?? [];
  const ofWeb = kind === 'link' ? /^https?:$/i : /^(?:https?|wss?|ftp):$/i;
  const isOfWeb = scheme === undefined ? url.startsWith('//') : ofWeb.test(scheme);
  if (isOfWeb) return hostOf(url) ?? (kind === 'mention' ? undefined : url);
  if (scheme === undefined || kind === 'mention' || asksNobody.test(url)) return undefined;
  if (kind === 'load' && isMedium.test(url)) return undefined;
  return /^data:$/i.test(scheme) ? url : scheme.toLowerCase();
}
