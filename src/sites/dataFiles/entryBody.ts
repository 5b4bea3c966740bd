import { DomainError } from '../../errors.ts';
import { lineAt, sourceLines } from '../../text/sourceLines.ts';

/**
 * An entry of a data file consists of values, and has no text below them.
 * @throws DomainError PAGE_UNREADABLE with line and column for other text
 */
export function refuseEntryBody(source: string, bodyStart: number): void {
  const position = bodyStart + source.slice(bodyStart).search(/\S/);
  if (position >= bodyStart)
    throw new DomainError(
      'PAGE_UNREADABLE',
      `Line ${lineAt(sourceLines(source), position)}, column 1: an entry of a data file has no text besides its values`,
    );
}
