import { DomainError } from '../../errors.ts';
import { quoted } from '../html/text.ts';
import { compareStyles } from '../styles/compareStyles.ts';
import type { FileKind } from './fileKinds.ts';
import { decodedXml, xmlPieces } from './xmlTexts.ts';

/**
 * Holds an edit of a file to what visitors read: values of style rules, strings of JSON, texts between tags of XML.
 * @param options.mayAdd whether style rules may get declarations
 * @throws DomainError INVALID_INPUT naming what breaks this
 */
export function compareFiles(kind: FileKind, before: string, after: string, options: { mayAdd: boolean }): void {
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(after) && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(before))
    throw refused('A file must not get control characters');
  if (!after.isWellFormed()) throw refused('A text must not hold half of a character');
  if (kind === 'css') compareStyles(before, after, options);
  if (kind === 'json') compareWords(jsonStrings(before, true), jsonStrings(after, false));
  if (kind === 'xml') compareXml(before, after);
}

const refused = (message: string) => new DomainError('INVALID_INPUT', message);

/** Names and strings of a JSON text. */
function jsonStrings(source: string, isOld: boolean): string[] {
  const strings: string[] = [];
  const waiting: unknown[] = [parsed(source, isOld)];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') strings.push(value);
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) strings.push(...Object.keys(value));
    for (const inner of Object.values(value)) waiting.push(inner);
  }
  return strings;
}

function parsed(source: string, isOld: boolean): unknown {
  try {
    return JSON.parse(source.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw refused(`The file ${isOld ? 'is' : 'would be'} no JSON: ${(error as Error).message.slice(0, 120)}`);
  }
}

function compareXml(before: string, after: string): void {
  const [old, now] = [xmlPieces(before), xmlPieces(after)];
  const other = now.markup.findIndex((piece, i) => piece !== old.markup[i]);
  if (other !== -1 || now.markup.length !== old.markup.length)
    throw refused(
      `In XML only the texts between tags may change${other === -1 ? '' : `; ${quoted(now.markup[other]!)} is other markup`}`,
    );
  const known = new Set(old.texts);
  const changed = now.texts.filter((text) => !known.has(text));
  const words = changed.map((text) => {
    const decoded = decodedXml(text);
    if (decoded === undefined)
      throw refused(`${quoted(text.trim())} has an entity other than &amp; &lt; &gt; &quot; &apos;`);
    return decoded;
  });
  compareWords(old.texts.map((text) => decodedXml(text) ?? text), words); // prettier-ignore
}

/** Browsers also take `https:host` and `https:/host` for an address, and pass over line ends and tabs in one. */
const hosts = /(?:(?:https?|wss?|ftp):[\\/]{0,9}|(?:[a-z][a-z0-9+.-]{0,20}:)?[\\/]{2})[^\s"'<>\\/?#]+/gi;
const withoutBreaks = (text: string) => text.replace(/[\t\n\r]/g, '');
const hostsIn = (text: string) =>
  [...(text.match(hosts) ?? []), ...(withoutBreaks(text).match(hosts) ?? [])].map((host) => host.toLowerCase());

/** Marks that change directions, and letters that nobody sees: also escapes of JSON can write them. */
const unseen = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** What scripts of the site, and readers of a feed, may take for markup, code or an address of another host. */
function compareWords(before: string[], after: string[]): void {
  const known = new Set(before);
  const knownHosts = new Set(before.flatMap(hostsIn));
  for (const text of after) {
    if (known.has(text)) continue;
    if (text === '__proto__') throw refused('The name "__proto__" is not for data');
    if (unseen.test(text) || controls.test(text)) throw refused(`A text must not hold invisible characters: ${quoted(text)}`); // prettier-ignore
    if (/<[a-z!/?]/i.test(text)) throw refused(`A text must not hold markup: ${quoted(text)}`);
    if (/(?:javascript|vbscript|data|blob|file)\s*:/i.test(withoutBreaks(text)))
      throw refused(`Addresses of files and of the web only: ${quoted(text)}`);
    const host = hostsIn(text).find((found) => !knownHosts.has(found));
    if (host !== undefined) throw refused(`The file must not name a new host: ${quoted(host)}`);
  }
}
