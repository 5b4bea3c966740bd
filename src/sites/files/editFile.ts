import { invalidInput } from '../invalidInput.ts';
import { quoted } from '../../text/text.ts';
import { compareFiles } from './compareFiles.ts';
import { fileKind, type FileKind } from './fileKinds.ts';

/** A text in a file, and its replacement. */
export interface FileEdit {
  find: string;
  replace: string;
  /** Replaces all occurrences. Without it, the text must occur exactly once. */
  all?: boolean;
}

/** A file's text after an edit. */
export interface EditedFile {
  source: string;
  /** Numbers of the edited lines, from 1. */
  lines: number[];
}

const NAMED = 10;

/**
 * Replaces a text in a file.
 * @param file its path, relative to the site's root, and its source
 * @throws DomainError INVALID_INPUT if the text is missing, not unique or stays as it is,
 *   and for a result that agents may not make
 */
export function editFile(
  { path, source }: { path: string; source: string },
  edit: FileEdit,
): EditedFile {
  const { find, replace, all = false } = edit;
  const kind = kindOf(path);
  if (find === replace)
    throw invalidInput('find and replace are the same: there is nothing to change');
  const places = placesOf(source, find);
  const lines = linesAt(source, places);
  if (places.length === 0)
    throw invalidInput(`${path} has no ${quoted(find)}: give the text as it stands in the file`);
  if (places.length > 1 && !all)
    throw invalidInput(
      `found ${places.length} times: lines ${lines.slice(0, NAMED).join(', ')}${lines.length > NAMED ? ' …' : ''}; give more text, or all`,
    );
  const after = source.split(find).join(replace);
  compareFiles(kind, source, after);
  return { source: after, lines };
}

/**
 * Checks that a task only changed what agents may change in a file.
 * @throws DomainError INVALID_INPUT
 */
export function checkFile(path: string, before: string | null, after: string | null): void {
  const kind = kindOf(path);
  if (before === null || after === null)
    throw invalidInput(`${path}: files other than pages are neither made nor deleted`);
  compareFiles(kind, before, after);
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

/** The line numbers of positions, which must be sorted. */
function linesAt(source: string, places: number[]): number[] {
  let [line, end] = [1, source.indexOf('\n')];
  return places.map((place) => {
    for (; end !== -1 && end < place; end = source.indexOf('\n', end + 1)) line++;
    return line;
  });
}
