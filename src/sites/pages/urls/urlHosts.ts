import { domainToUnicode } from 'node:url';
import { trimEndCharacters } from '../../../contract/text/summaries.ts';

/*
 * Finds the hosts to which URLs and texts lead: `https://Shop.example./a` → `//shop.example`. The
 * checks use it to find hosts that an agent added. It reads URLs as browsers do, with the parser of
 * the URL standard.
 */

/**
 * A page is reached over https or http, and a URL such as `https:host` resolves differently from
 * each. So both bases are tried.
 */
const PAGE_HOST = 'page.invalid';
const bases = [`https://${PAGE_HOST}/`, `http://${PAGE_HOST}/`];

const parseAddress = (text: string): URL | undefined =>
  bases
    // oxlint-disable-next-line own/no-bare-url-parse -- browsers read longer hosts, too
    .map((base) => URL.parse(text, base))
    .find((url) => url !== null && url.host !== '' && url.host !== PAGE_HOST) ?? undefined;

/**
 * The host that a URL leads a browser to, as `//host`; undefined for the page's own host, and for
 * URLs without a host.
 */
export function browserHost(text: string): string | undefined {
  const url = parseAddress(text);
  return url && hostName(url);
}

/** The host as `//host`, without a default port and without a dot at its end. */
const hostName = ({ hostname, port }: URL) =>
  `//${trimEndCharacters(hostname, '.')}${['', '80', '443'].includes(port) ? '' : `:${port}`}`;

const authority = /^(?:[a-z][a-z0-9+.-]{0,20}:)?\/\/([^\s\\/?#@]{1,300})(?=[/?#]|$)/i;

/**
 * Like `browserHost`, but undefined unless all programs, not just browsers, read the same host: the
 * URL has two slashes, no user name, no backslashes, and its host in plain form.
 */
export function plainHostOf(text: string): string | undefined {
  const writtenHost = authority.exec(text)?.[1]?.toLowerCase();
  const url = writtenHost === undefined ? undefined : parseAddress(text);
  if (!url || writtenHost === undefined) return undefined;
  const name = writtenHost.replace(/:\d{1,5}$/, '');
  return name === url.hostname || name === domainToUnicode(url.hostname)
    ? hostName(url)
    : undefined;
}

/**
 * A URL as browsers read it (URL standard, "URL parsing"): without tabs and line ends, with slashes
 * for backslashes.
 */
export function readUrl(text: string): string {
  const url = trimControls(text).replace(/[\t\n\r]/g, '');
  if (/^(?!(?:https?|wss?|ftp):)[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  return url.replace(/^[^?#]*/, (path) => path.replaceAll('\\', '/'));
}

/**
 * Removes spaces and control characters at both ends. A regular expression would take quadratic
 * time for spaces in the middle.
 */
function trimControls(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(start, end);
}

/** A URL of another host in a text, up to the end of its host. */
interface NamedHost {
  text: string;
  /** undefined if it is not a host, or programs read it differently. */
  host: string | undefined;
}

/** The beginning of a URL with a host, up to its path, including a backslash after the host. */
const urlHead =
  /(?:[a-z][a-z0-9+.-]{0,20}:)?[\\/]{2,9}[^\s"'`<>\\/?#]{1,300}\\?|(?:https?|wss?|ftp):[\\/]?[^\s"'`<>\\/?#]{1,300}\\?/i;
const urlHeads = new RegExp(urlHead, 'gi');
/** Most characters before the host in a URL. */
const MAX_LEAD_LENGTH = 40;
const MAX_HEAD_LENGTH = 400;

/**
 * Every URL of another host in a text: URLs among its words, and the whole text if that is a URL.
 */
function findHosts(text: string): NamedHost[] {
  const words = text.replaceAll('\t', ''); // browsers ignore tabs in addresses
  const foundHeads = [
    ...(words.match(urlHeads) ?? []),
    ...words.split(/[ "'`<>]/).flatMap(brokenHeads),
  ];
  const wholeText =
    browserHost(text) === undefined ? [] : [{ text, host: plainHostOf(text.trim()) }];
  return [
    ...foundHeads.map((candidate) => ({ text: candidate, host: plainHostOfHead(candidate) })),
    ...wholeText,
  ];
}

/** URLs that continue after a line end. Browsers ignore line ends in URLs. */
function brokenHeads(word: string): string[] {
  let previousText = '';
  return word.split(/[\n\r]+/).flatMap((line) => {
    const joinedText = previousText + line;
    const isBroken = ({ index, 0: { length } }: RegExpExecArray) =>
      index < previousText.length &&
      index + length > previousText.length &&
      !urlHead.test(previousText.slice(index));
    const brokenMatches = [
      ...joinedText.slice(0, previousText.length + MAX_HEAD_LENGTH).matchAll(urlHeads),
    ].filter(isBroken);
    previousText = joinedText.slice(-MAX_LEAD_LENGTH);
    return brokenMatches.map(([text]) => text);
  });
}

/** The host of a URL in a text, without punctuation after it. */
function plainHostOfHead(candidate: string): string | undefined {
  const isWebUrl = /^(?:(?:https?|wss?|ftp):)?[\\/]/i.test(candidate);
  return isWebUrl ? plainHostOf(trimEndCharacters(candidate, '.,;:!?)]}')) : undefined;
}

/**
 * The first URL with a new host, or with a host that programs read differently.
 * @param oldTexts texts whose hosts are allowed
 * @param newTexts texts that may only have these hosts
 */
export function findNewHost(oldTexts: string[], newTexts: string[]): string | undefined {
  const knownHosts = new Set(oldTexts.flatMap(findHosts).map(hostKey));
  const isNew = (candidate: NamedHost) =>
    isAmbiguous(candidate) || !knownHosts.has(hostKey(candidate));
  return newTexts.flatMap(findHosts).find(isNew)?.text;
}

const hostKey = ({ text, host }: NamedHost) => host ?? text;

/**
 * Whether another host may follow a `\` or `@`. Such a URL counts as new even if an old text has
 * the same one.
 */
const isAmbiguous = ({ text, host }: NamedHost) => host === undefined && /[\\@]/.test(text);
