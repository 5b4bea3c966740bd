import { domainToUnicode } from 'node:url';
import { withoutEnd } from '../../contract/text.ts';

/**
 * Parses addresses with the URL standard's parser, as browsers do. All checks use this file. A page
 * is reached over https or http, and an address such as `https:host` resolves differently from
 * each. So both bases are tried.
 */
const PAGE = 'page.invalid';
const bases = [`https://${PAGE}/`, `http://${PAGE}/`];

const parsed = (text: string): URL | undefined =>
  bases
    .map((base) => URL.parse(text, base))
    .find((url) => url !== null && url.host !== '' && url.host !== PAGE) ?? undefined;

/**
 * The host that an address leads a browser to, as `//host`; undefined for the page's own host, and
 * for addresses without a host.
 */
export function hostOf(text: string): string | undefined {
  const url = parsed(text);
  return url && named(url);
}

/** The host without its port and the dot after its name: both lead to the same host. */
const named = ({ hostname, port }: URL) =>
  `//${withoutEnd(hostname, '.')}${['', '80', '443'].includes(port) ? '' : `:${port}`}`;

const authority = /^(?:[a-z][a-z0-9+.-]{0,20}:)?\/\/([^\s\\/?#@]{1,300})(?=[/?#]|$)/i;

/**
 * As `hostOf`, but only if every program, not just browsers, reads the same host: no user name, no
 * backslashes, two slashes, and the host in plain form. Otherwise undefined.
 */
export function plainHostOf(text: string): string | undefined {
  const url = parsed(text);
  const written = authority.exec(text)?.[1]?.toLowerCase();
  if (!url || written === undefined) return undefined;
  const name = written.replace(/:\d{1,5}$/, '');
  return name === url.hostname || name === domainToUnicode(url.hostname) ? named(url) : undefined;
}

/**
 * An address as browsers read it (URL standard, "URL parsing"): without tabs and line ends, with
 * slashes for backslashes.
 */
export function readUrl(text: string): string {
  const url = withoutControls(text).replace(/[\t\n\r]/g, '');
  if (/^(?!(?:https?|wss?|ftp):)[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  return url.replace(/^[^?#]*/, (path) => path.replaceAll('\\', '/'));
}

/**
 * Removes spaces and control characters at both ends. A regular expression would take quadratic
 * time for spaces in the middle.
 */
function withoutControls(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(start, end);
}

/** An address of another host in a text, up to the end of its host. */
interface Named {
  text: string;
  /** undefined if it is no host, or programs read it differently. */
  host: string | undefined;
}

/**
 * The beginning of an address with a host, up to its path, including a backslash after the host.
 */
const head =
  /(?:[a-z][a-z0-9+.-]{0,20}:)?[\\/]{2,9}[^\s"'`<>\\/?#]{1,300}\\?|(?:https?|wss?|ftp):[\\/]?[^\s"'`<>\\/?#]{1,300}\\?/i;
const heads = new RegExp(head, 'gi');
/** Most characters before the host in an address. */
const LONGEST_LEAD = 40;
const LONGEST = 400;

/**
 * Every address of another host in a text: addresses among its words, and the whole text if it is
 * one.
 */
function hostsIn(text: string): Named[] {
  const words = text.replaceAll('\t', ''); // browsers ignore tabs in addresses
  const found = [...(words.match(heads) ?? []), ...words.split(/[ "'`<>]/).flatMap(brokenHeads)];
  const whole = hostOf(text) === undefined ? [] : [{ text, host: plainHostOf(text.trim()) }];
  return [...found.map((one) => ({ text: one, host: hostIn(one) })), ...whole];
}

/** Addresses that continue after a line end. Browsers ignore line ends in addresses. */
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

/** The host of an address in a text, without punctuation after it. */
function hostIn(head: string): string | undefined {
  const isOfWeb = /^(?:(?:https?|wss?|ftp):)?[\\/]/i.test(head);
  return isOfWeb ? plainHostOf(withoutEnd(head, '.,;:!?)]}')) : undefined;
}

/**
 * The first address with a new host, or with a host that programs read differently.
 * @param before texts whose hosts are allowed
 * @param after texts that may only have these hosts
 */
export function newHostIn(before: string[], after: string[]): string | undefined {
  const known = new Set(before.flatMap(hostsIn).map(nameOf));
  const isNew = (one: Named) => isMixed(one) || !known.has(nameOf(one));
  return after.flatMap(hostsIn).find(isNew)?.text;
}

const nameOf = ({ text, host }: Named) => host ?? text;

/**
 * Whether another host may follow a `\` or `@`. Such an address is new even if the old text has one
 * like it.
 */
const isMixed = ({ text, host }: Named) => host === undefined && /[\\@]/.test(text);
