import { visit } from 'jsonc-parser';
import { invalidInput } from '../invalidInput.ts';
import { quoted } from '../../text/text.ts';
import { newHostIn } from '../pages/urlHosts.ts';
import { compareStyles } from '../styles/compareStyles.ts';
import type { FileKind } from './fileKinds.ts';

/**
 * Checks that an edit only changes what visitors read: style rules, strings in JSON, lines of text.
 * @throws DomainError INVALID_INPUT naming the fault
 */
export function compareFiles(kind: FileKind, before: string, after: string): void {
  const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;
  if (controls.test(after) && !controls.test(before))
    throw invalidInput('A file must not get control characters');
  if (!after.isWellFormed()) throw invalidInput('A text must not hold half of a character');
  if (kind === 'css') compareStyles(before, after);
  if (kind === 'json') compareWords(jsonStrings(before, 'is'), jsonStrings(after, 'would be'));
  if (kind === 'txt') compareLines(linesOf(before), linesOf(after));
}

/**
 * All names and strings in a JSON text, including those of repeated members, since programs may
 * read either.
 */
function jsonStrings(source: string, verb: 'is' | 'would be'): string[] {
  const text = source.replace(/^\uFEFF/, '');
  try {
    JSON.parse(text);
  } catch (error) {
    throw invalidInput(`The file ${verb} no JSON: ${(error as Error).message.slice(0, 120)}`);
  }
  const strings: string[] = [];
  const add = (value: unknown) => typeof value === 'string' && strings.push(value);
  visit(text, { onObjectProperty: add, onLiteralValue: add });
  return strings;
}

/**
 * Marks that change the writing direction, and invisible characters. JSON escapes can write them
 * too.
 */
const unseen = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const anyControls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Refuses new texts that scripts or feed readers may read as markup, code or another host. */
function compareWords(before: string[], after: string[]): void {
  const known = new Set(before);
  const changed = after.filter((text) => !known.has(text));
  for (const text of changed) {
    if (text === '__proto__') throw invalidInput('The name "__proto__" is not for data');
    refuseUnseen(text);
    if (/<[a-z!/?]/i.test(text)) throw invalidInput(`A text must not hold markup: ${quoted(text)}`);
    if (/(?:javascript|vbscript|data|blob|file)\s*:/i.test(withoutBreaks(text)))
      throw invalidInput(`Addresses of files and of the web only: ${quoted(text)}`);
  }
  refuseNewHosts(before, changed);
}

const withoutBreaks = (text: string) => text.replace(/[\t\n\r]/g, '');

function refuseUnseen(text: string): void {
  if (unseen.test(text) || anyControls.test(text))
    throw invalidInput(`A text must not hold invisible characters: ${quoted(text)}`);
}

function refuseNewHosts(before: string[], changed: string[]): void {
  const address = newHostIn(before, changed);
  if (address !== undefined)
    throw invalidInput(`The file must not name a new host: ${quoted(address)}`);
}

/** The `Host:` line of a robots.txt, which names the site's host for some search engines. */
const host = /^\s*host\s*:\s*(?=[^\s/\\])/i;
const linesOf = (source: string) =>
  source.split(/\r\n|[\n\r]/).map((line) => line.replace(host, '//'));

function compareLines(before: string[], after: string[]): void {
  const known = new Set(before);
  const changed = after.filter((line) => !known.has(line));
  for (const line of changed) refuseUnseen(line);
  refuseNewHosts(before, changed);
}
