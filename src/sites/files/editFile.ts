import { invalidInput } from '../invalidInput.ts';
import { quoteText } from '../../text/text.ts';
import { compareFiles } from './compareFiles.ts';
import { editableFileKind, type EditableFileKind } from './fileKinds.ts';

/*
 * Files of a site that are not pages: style sheets, JSON and text files. An agent may replace texts
 * in them:
 *
 *   editFile({ path: 'site.css', source }, { find: '#c00', replace: '#060' });
 *   // { source: the new text, lines: [12] }
 *
 * - `fileKinds.ts`: which files an agent may edit; `proofFiles.ts`: files that only people change
 * - `compareFiles.ts`: checks that an edit adds no other host, code or invisible text
 * - `parseJson.ts`: parses JSON from outside, such as the bodies of requests
 */

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

const NAMED_LINES = 10;

/**
 * Replaces a text in a file that is not a page.
 * @param file its path, relative to the site's root, and its source
 * @throws DomainError INVALID_INPUT if the text is missing, not unique or stays as it is,
 *   and for a result that agents may not make
 */
export function editFile(
  { path, source }: { path: string; source: string },
  edit: FileEdit,
): EditedFile {
  const { find, replace, all = false } = edit;
  const kind = editableKind(path);
  if (find === replace)
    throw invalidInput('find and replace are the same text, so the edit changes nothing');
  const occurrences = findOccurrences(source, find);
  const lines = lineNumbersAt(source, occurrences);
  if (occurrences.length === 0)
    throw invalidInput(
      `the file does not contain ${quoteText(find)}: copy the text exactly from the file`,
    );
  if (occurrences.length > 1 && !all)
    throw invalidInput(
      `the file contains the text ${occurrences.length} times, on lines ${lines.slice(0, NAMED_LINES).join(', ')}${lines.length > NAMED_LINES ? ' …' : ''}: use a longer text, or set all to true`,
    );
  const editedSource = source.split(find).join(replace);
  compareFiles(kind, source, editedSource);
  return { source: editedSource, lines };
}

/**
 * Checks that a task only changed what agents may change in a file.
 * @throws DomainError INVALID_INPUT
 */
export function checkFile(path: string, oldSource: string | null, newSource: string | null): void {
  const kind = editableKind(path);
  if (oldSource === null || newSource === null)
    throw invalidInput(`${path}: a task can only create or delete pages, not other files`);
  compareFiles(kind, oldSource, newSource);
}

function editableKind(path: string): EditableFileKind {
  const result = editableFileKind(path);
  if ('problem' in result) throw invalidInput(`${path}: ${result.problem}`);
  return result.kind;
}

function findOccurrences(source: string, find: string): number[] {
  const occurrences: number[] = [];
  for (
    let offset = source.indexOf(find);
    offset !== -1;
    offset = source.indexOf(find, offset + find.length)
  )
    occurrences.push(offset);
  return occurrences;
}

/** The line numbers of positions, which must be sorted. */
function lineNumbersAt(source: string, occurrences: number[]): number[] {
  let [line, end] = [1, source.indexOf('\n')];
  return occurrences.map((occurrence) => {
    for (; end !== -1 && end < occurrence; end = source.indexOf('\n', end + 1)) line++;
    return line;
  });
}
