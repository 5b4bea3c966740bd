import { invalidInput } from '../invalidInput.ts';
import { quoted } from '../../text/text.ts';
import { compareFiles } from './compareFiles.ts';
import { fileKind, type FileKind } from './fileKinds.ts';

/** A text of a file, and what comes in its place. */
export interface FileEdit {
  find: string;
  replace: string;
  /** Every place, not the only one. */
  all?: boolean;
}

/** A file's text after an edit. */
export interface EditedFile {
  source: string;
  /** The lines that were edited, from 1. */
  lines: number[];
}

const NAMED = 10;

/**
 * Replaces a text of a file.
 * @param file its path, relative to the site's root, and its text
 * @throws DomainError INVALID_INPUT where the text is not there once, and where the file may not
 *   become that
 */
export function editFile(
  { path, source }: { path: string; source: string },
  edit: FileEdit,
): EditedFile {
  const { find, replace, all = false } = edit;
  const kind = kindOf(path);
  const places = placesOf(source, find);
  const lines = linesAt(source, places);
  if (places.length === 0)
    throw invalidInput(`${path} has no ${quoted(find)}: give the text as it stands in the file`);
  if (places.length > 1 && !all)
    throw invalidInput(
      `found ${places.length} times: lines ${lines.slice(0, NAMED).join(', ')}${lines.length > NAMED ? ' …' : ''}; give more text, or all`,
    );
  const after = source.split(find).join(replace);
  compareFiles(kind, source, after, { mayAdd: false });
  return { source: after, lines };
}

/**
 * Checks that a task changed of a file only what agents may change.
 * @throws DomainError INVALID_INPUT
 */
export function checkFile(path: string, before: string | null, after: string | null): void {
  const kind = kindOf(path);
  if (before === null || after === null)
    throw invalidInput(`${path}: files other than pages are neither made nor deleted`);
  compareFiles(kind, before, after, { mayAdd: true });
}

function kindOf(path: string): FileKind {
  const found = fileKind(path);
  if ('problem' in found) throw invalidInput(`${path}: ${found.problem}`);
  return found.kind;
}

function placesOf(source: string, find: string): number[] {
  const places: number[] = [];
  for (let at = source.indexOf(find); at !== -1; at = source.indexOf(find, at + find.length))
    places.push(at);
  return places;
}

/** The lines of some places, which are sorted. */
function linesAt(source: string, places: number[]): number[] {
  let [line, end] = [1, source.indexOf('\n')];
  return places.map((place) => {
    for (; end !== -1 && end < place; end = source.indexOf('\n', end + 1)) line++;
    return line;
  });
}
