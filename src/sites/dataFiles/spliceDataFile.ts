import { createScanner } from 'jsonc-parser';
import MagicString from 'magic-string';
import { lineAt, sourceLines } from '../../text/sourceLines.ts';
import type { PageSource } from '../formats/format.ts';
import { invalidInput } from '../invalidInput.ts';
import { isFilePattern } from './entryPaths.ts';
import { bytesOfEntry, bytesOfEntryFile, sourceOfEntry } from './entrySources.ts';
import { type DataFile, type DataMember, readDataFile } from './readDataFile.ts';

/** A change of an entry. */
export interface EntryChange {
  key: string;
  /** The entry as a page (see entrySources.ts). null deletes the entry. */
  source: string | null;
  /**
   * The key of the entry that a new one follows. Absent: it takes the place of the deleted entry if
   * there is one of each. Otherwise, or if the key is unknown, it becomes the last one.
   */
  after?: string | undefined;
}

/**
 * Writes changes of entries into a data file. All other bytes stay. The result is parsed again:
 * each entry must read as it was written, and all others as before. At the path of a pattern, the
 * only change is that of the whole file.
 * @throws DomainError INVALID_INPUT, PAGE_UNREADABLE, LIMIT_EXCEEDED
 */
export function spliceDataFile({ path, source }: PageSource, changes: EntryChange[]): string {
  const [first] = changes;
  if (isFilePattern(path) && typeof first?.source === 'string')
    return bytesOfEntryFile(path, { ...first, source: first.source });
  const file = readDataFile({ path, source });
  const written = new Map<string, string | null>();
  const editor = new MagicString(source);
  const movedKey = findMovedKey(file, changes);
  for (const { key, source: page, after = movedKey } of changes)
    written.set(key, page === null ? null : writeMember(editor, file, { key, page, after }));
  const deleted = new Set(changes.flatMap(({ key, source: page }) => (page === null ? [key] : [])));
  const result = removeMembers({ path, source: editor.toString() }, deleted);
  verifyResult(file, readDataFile({ path, source: result }), written);
  return result;
}

/** The key that an entry had before, if the only new entry takes the place of a deleted one. */
function findMovedKey(file: DataFile, changes: EntryChange[]): string | undefined {
  const deleted = changes.filter(({ source }) => source === null);
  const added = changes.filter(({ key, source }) => source !== null && !findMember(file, key));
  return deleted.length === 1 && added.length === 1 ? deleted[0]!.key : undefined;
}

/** Writes the bytes of one entry, and returns them. */
function writeMember(
  editor: MagicString,
  file: DataFile,
  { key, page, after }: { key: string; page: string; after: string | undefined },
): string {
  const member = findMember(file, key);
  const neighbour = findMember(file, after) ?? file.members.at(-1)!;
  const { dash } = member ?? neighbour;
  const listDash = dash ?? file.members.find((one) => one.dash !== undefined)?.dash;
  const bytes = bytesOfEntry(file, { key, source: page, dash: listDash });
  if (member) editor.update(member.content.start, member.content.end, bytes);
  else editor.appendLeft(neighbour.end, newMember(file, neighbour, { key, bytes }));
  return bytes;
}

const findMember = ({ members }: DataFile, key: string | undefined) =>
  key === undefined ? undefined : members.find((member) => member.key === key);

/** The text of a new member behind its neighbour, with what separates them. */
function newMember(
  { source, language, isList, members, lineEnd }: DataFile,
  neighbour: DataMember,
  { key, bytes }: { key: string; bytes: string },
): string {
  const index = Math.max(members.indexOf(neighbour), 1);
  const next = members[index] ?? neighbour;
  if (language === 'json') {
    const name = source.slice(neighbour.start, neighbour.content.start);
    const colon = /:\s*$/.exec(name.slice(-200))?.[0] ?? ': ';
    const start = isList ? '' : JSON.stringify(key) + colon;
    return `,${blanksBefore(source, next.start)}${start}${bytes}`;
  }
  const gap = members[index] ? source.slice(members[index - 1]!.end, next.start) : '';
  const newLines = /^(?:\r?\n[ \t]*){1,5}$/.test(gap) ? gap : lineEnd;
  if (isList) return newLines + bytes;
  const indentation = /^ */.exec(source.slice(neighbour.start, neighbour.start + 200))![0];
  const separator = bytes.startsWith('{') ? ': ' : `:${lineEnd}`;
  return newLines + indentation + yamlKey(key) + separator + bytes;
}

/** The blanks before a position. */
function blanksBefore(source: string, position: number): string {
  const text = source.slice(Math.max(position - 200, 0), position);
  return text.slice(text.trimEnd().length);
}

/** A key as YAML writes it. Words and numbers with a meaning in YAML get quotes. */
const yamlKey = (key: string) =>
  /^[a-z_][\w-]*$/i.test(key) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(key)
    ? key
    : JSON.stringify(key);

/** @returns the source without some members */
function removeMembers({ path, source }: PageSource, keys: ReadonlySet<string>): string {
  if (keys.size === 0) return source;
  const { members, language } = readDataFile({ path, source });
  const isRemoved = ({ key }: DataMember) => key !== null && keys.has(key);
  const lastKept = members.findLastIndex((member) => !isRemoved(member));
  if (lastKept < 0) throw invalidInput(`${path} must keep at least one entry`);
  const editor = new MagicString(source);
  for (const [index, member] of members.entries()) {
    const next = language === 'json' ? members[index + 1] : undefined;
    if (next && (isRemoved(member) || index === lastKept)) {
      const comma = commaBetween(source, member.end, next.start);
      editor.remove(comma, comma + 1);
    }
    if (isRemoved(member)) removeLines(editor, source, member, next !== undefined);
  }
  return editor.toString();
}

/** Removes a member, with its lines if nothing else is in them. */
function removeLines(
  editor: MagicString,
  source: string,
  { start, end }: DataMember,
  hasNext: boolean,
): void {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const newline = source.indexOf('\n', end);
  const lineEnd = newline < 0 ? source.length : newline + 1;
  const isAlone =
    /^\s*$/.test(source.slice(lineStart, start)) && /^[\s,]*$/.test(source.slice(end, lineEnd));
  if (!isAlone) {
    const blanks = hasNext ? /^[\s,]*/.exec(source.slice(end, end + 200))![0].length : 0;
    const before = hasNext ? 0 : blanksBefore(source, start).length;
    return void editor.remove(start - before, end + blanks);
  }
  const textBefore = source.slice(0, lineStart).trimEnd().length;
  const isAtBlank = /^[ \t]*(?:\r?\n|$)/.test(source.slice(lineEnd, lineEnd + 200));
  // empty lines before the member go with it, unless a member follows them
  const afterText = source.indexOf('\n', textBefore) + 1;
  const from = newline < 0 ? textBefore : isAtBlank && afterText > 0 ? afterText : lineStart;
  editor.remove(Math.min(from, lineStart), lineEnd);
}

/** `SyntaxKind.CommaToken` and `SyntaxKind.EOF`, which exist as types only. */
const [commaToken, endToken]: [number, number] = [5, 17];

/** The position of the comma between two members, which may have comments around it. */
function commaBetween(source: string, start: number, end: number): number {
  const scanner = createScanner(source.slice(start, end));
  for (let token: number = scanner.scan(); token !== endToken; token = scanner.scan())
    if (token === commaToken) return start + scanner.getTokenOffset();
  throw invalidInput('A comma between two entries is missing');
}

/**
 * Checks that the result has the changed entries as they were written, and all others as before.
 * @throws DomainError INVALID_INPUT that names the first entry that differs
 */
function verifyResult(
  before: DataFile,
  after: DataFile,
  written: ReadonlyMap<string, string | null>,
): void {
  const bytesOf = ({ source }: DataFile, { content }: DataMember) =>
    source.slice(content.start, content.end);
  const read = new Map(after.members.map((member) => [member.key, member]));
  for (const [key, bytes] of written) {
    const member = read.get(key);
    if ((member ? bytesOf(after, member) : null) === bytes) continue;
    const position = member?.start ?? before.members.find((one) => one.key === key)?.start ?? 0;
    const line = lineAt(sourceLines(after.source), position);
    throw invalidInput(
      `Line ${line}, column 1: the entry "${key}" would not be read as it was written. An entry keeps its slug or id, and no two entries have the same`,
    );
  }
  const others = (file: DataFile) =>
    file.members.filter(({ key }) => key === null || !written.has(key));
  const [oldOthers, newOthers] = [others(before), others(after)];
  const isKept =
    oldOthers.length === newOthers.length &&
    oldOthers.every(
      (member, i) =>
        member.key === newOthers[i]!.key &&
        sourceOfEntry(before, member) === sourceOfEntry(after, newOthers[i]!),
    );
  if (!isKept) throw invalidInput('Line 1, column 1: other entries of the file would change');
}
