import { hostOf } from '../pages/urlHosts.ts';

/** An address, and what stands behind it. */
export interface Address {
  /** As browsers read it: without the white space and the backslashes that they mend. */
  url: string;
  /**
   * A `load` is an image, a sound or a font. An `embed` may load more, or run. A `base` is where
   * relative addresses begin. A `mention` is a text that a script may take for an address.
   */
  kind: 'link' | 'load' | 'embed' | 'base' | 'mention';
}

const asksNobody = /^(mailto|tel|sms|about|blob|javascript|vbscript):/i;
const isMedium = /^data:(image|font|audio|video)\//i;

/**
 * Whom an address asks: `//host` of the web, `scheme:` of anything else; undefined for the site
 * itself and what asks nobody. A document in its own address, and an address of the web that we
 * cannot read, are told apart by all of it.
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
