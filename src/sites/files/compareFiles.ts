import { visit } from 'jsonc-parser';
import { invalidInput } from '../invalidInput.ts';
import { quoteText } from '../../text/text.ts';
import { findNewHost } from '../pages/urls/urlHosts.ts';
import { compareStyles } from '../styles/compareStyles.ts';
import type { EditableFileKind } from './fileKinds.ts';

/**
 * Compares two versions of a file that is not a page, and checks that the new one adds nothing that
 * loads from another site, runs, or is invisible.
 * @throws DomainError INVALID_INPUT that says what is not allowed
 */
export function compareFiles(kind: EditableFileKind, oldSource: string, newSource: string): void {
  const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;
  if (controls.test(newSource) && !controls.test(oldSource))
    throw invalidInput('An edit must not add control characters to a file');
  if (!newSource.isWellFormed())
    throw invalidInput('A text must not contain half of a character (an unpaired surrogate)');
  if (kind === 'css') compareStyles(oldSource, newSource);
  if (kind === 'json')
    compareWords(jsonStrings(oldSource, 'is'), jsonStrings(newSource, 'would be'));
  if (kind === 'txt') compareLines(textLines(oldSource), textLines(newSource));
}

/**
 * All names and strings in a JSON text, including those of repeated members, since programs may
 * read any of them.
 * @param verb for the error about invalid JSON: `is` for the old text, `would be` for the new one
 */
function jsonStrings(source: string, verb: 'is' | 'would be'): string[] {
  const text = source.replace(/^\uFEFF/, '');
  try {
    JSON.parse(text);
  } catch (error) {
    throw invalidInput(`The file ${verb} invalid JSON: ${(error as Error).message.slice(0, 120)}`);
  }
  const strings: string[] = [];
  const addString = (value: unknown) => typeof value === 'string' && strings.push(value);
  visit(text, { onObjectProperty: addString, onLiteralValue: addString });
  return strings;
}

/** Invisible characters, also those that change the writing direction or that JSON may escape. */
const invisibleCharacters =
  /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const controlCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Refuses new texts that scripts or feed readers may read as markup, code or another host. */
function compareWords(oldTexts: string[], currentTexts: string[]): void {
  const knownTexts = new Set(oldTexts);
  const newTexts = currentTexts.filter((text) => !knownTexts.has(text));
  for (const text of newTexts) {
    if (text === '__proto__') throw invalidInput('The name "__proto__" is not allowed in a file');
    refuseInvisible(text);
    if (/<[a-z!/?]/i.test(text))
      throw invalidInput(`A text must not contain markup: ${quoteText(text)}`);
    if (/(?:javascript|vbscript|data|blob|file)\s*:/i.test(stripLineBreaks(text)))
      throw invalidInput(
        `A text must not contain a URL of a script, of inline data or of a local file: ${quoteText(text)}`,
      );
  }
  refuseNewHosts(oldTexts, newTexts);
}

const stripLineBreaks = (text: string) => text.replace(/[\t\n\r]/g, '');

function refuseInvisible(text: string): void {
  if (invisibleCharacters.test(text) || controlCharacters.test(text))
    throw invalidInput(`A text must not contain invisible characters: ${quoteText(text)}`);
}

function refuseNewHosts(oldTexts: string[], newTexts: string[]): void {
  const newHost = findNewHost(oldTexts, newTexts);
  if (newHost !== undefined)
    throw invalidInput(`The file must not contain a new host: ${quoteText(newHost)}`);
}

/** The `Host:` line of a robots.txt, which names the site's host for some search engines. */
const robotsHostLine = /^\s*host\s*:\s*(?=[^\s/\\])/i;
const textLines = (source: string) =>
  source.split(/\r\n|[\n\r]/).map((line) => line.replace(robotsHostLine, '//'));

function compareLines(oldLines: string[], currentLines: string[]): void {
  const knownTexts = new Set(oldLines);
  const newTexts = currentLines.filter((line) => !knownTexts.has(line));
  for (const line of newTexts) refuseInvisible(line);
  refuseNewHosts(oldLines, newTexts);
}
