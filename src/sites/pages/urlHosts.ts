import { domainToUnicode } from 'node:url';
import { withoutEnd } from '../../contract/text.ts';

/**
 * All checks read addresses here, by the parser of the URL standard that browsers have. A page is
 * reached over https or http: an address such as `https:host` leads to another place from each of
 * them.
 */
const PAGE = 'page.invalid';
const bases = [`https://${PAGE}/`, `http://${PAGE}/`];

const parsed = (text: string): URL | undefined =>
  bases
    .map((base) => URL.parse(text, base))
    .find((url) => url !== null && url.host !== '' && url.host !== PAGE) ?? undefined;

/**
 * `//host` that an address leads a browser to; undefined for a place on the page's own host, and
 * what has no host.
 */
export function hostOf(text: string): string | undefined {
  const url = parsed(text);
  return url && named(url);
}

/**
 * The ports of http and https lead to the same host, and so does its name with a point behind it.
 */
const named = ({ hostname, port }: URL) =>
  `//${withoutEnd(hostname, '.')}${['', '80', '443'].includes(port) ? '' : `:${port}`}`;

const authority = /^(?:[a-z][a-z0-9+.-]{0,20}:)?\/\/([^\s\\/?#@]{1,300})(?=[/?#]|$)/i;

/**
 * The same where every program reads that host, not browsers only: without user names and
 * backslashes, with two slashes, and with the host written as it is.
 */
export function plainHostOf(text: string): string | undefined {
  const url = parsed(text);
  const written = authority.exec(text)?.[1]?.toLowerCase();
  if (!url || written === undefined) return undefined;
  const name = written.replace(/:\d{1,5}$/, '');
  return name === url.hostname || name === domainToUnicode(url.hostname) ? named(url) : undefined;
}

/**
 * An address as browsers read it (URL standard, "URL parsing"): tabs and line ends go, backslashes
 * are slashes.
 */
export function readUrl(text: string): string {
  const url = withoutControls(text).replace(/[\t\n\r]/g, '');
  if (/^(?!(?:https?|wss?|ftp):)[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  return url.replace(/^[^?#]*/, (path) => path.replaceAll('\\', '/'));
}

/**
 * Without spaces and control characters at its ends. A pattern would take quadratic time for spaces
 * in the middle.
 */
function withoutControls(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(start, end);
}

/** An address of another host in a text, up to the end of the host. */
interface Named {
  text: string;
  /** undefined for what is no host, or is not read by all as the same. */
  host: string | undefined;
}

/** Where an address with a host begins, up to its path; and a backslash behind the host. */
const head =
  /(?:[a-z][a-z0-9+.-]{0,20}:)?[\\/]{2,9}[^\s"'`<>\\/?#]{1,300}\\?|(?:https?|wss?|ftp):[\\/]?[^\s"'`<>\\/?#]{1,300}\\?/i;
const heads = new RegExp(head, 'gi');
/** Most characters before the host in an address. */
const LONGEST_LEAD = 40;
const LONGEST = 400;

/**
 * Every address of another host in a text: those among its words, and the whole text if it is an
 * address.
 */
function hostsIn(text: string): Named[] {
  const words = text.replaceAll('\t', ''); // browsers pass over it in an address
  const found = [...(words.match(heads) ?? []), ...words.split(/[ "'`<>]/).flatMap(brokenHeads)];
  const whole = hostOf(text) === undefined ? [] : [{ text, host: plainHostOf(text.trim()) }];
  return [...found.map((one) => ({ text: one, host: hostIn(one) })), ...whole];
}

/** Addresses that begin before a line end and go on behind it, which browsers pass over as well. */
function brokenHeads(word: string): string[] {
  let before = '';
  return word.split(/[\n\r]+/).flatMap((line) => {
    const joined = before + line;
    const isBroken = ({ index, 0: { length } }: RegExpExecArray) =>
      index < before.length && index + length > before.length && !head.test(before.slice(index));
    const found = [...joined.slice(0, before.length + LONGEST).matchAll(heads)].filter(isBroken);
    before = joined.slice(-LONGEST_LEAD);
    return found.map(([text]) => text);
  });
}

/** The host of an address in a text. Punctuation behind it is not part of it. */
function hostIn(head: string): string | undefined {
  const isOfWeb = /^(?:(?:https?|wss?|ftp):)?[\\/]/i.test(head);
  return isOfWeb ? plainHostOf(withoutEnd(head, '.,;:!?)]}')) : undefined;
}

/**
 * The first address that leads to a new host, or that not every program reads in the same way.
 * @param before texts whose hosts are known
 * @param after texts that may lead nowhere else
 */
export function newHostIn(before: string[], after: string[]): string | undefined {
  const known = new Set(before.flatMap(hostsIn).map(nameOf));
  const isNew = (one: Named) => isMixed(one) || !known.has(nameOf(one));
  return after.flatMap(hostsIn).find(isNew)?.text;
}

const nameOf = ({ text, host }: Named) => host ?? text;

/** What follows such a mark may be another host: that the file had one like it says nothing. */
const isMixed = ({ text, host }: Named) => host === undefined && /[\\@]/.test(text);
