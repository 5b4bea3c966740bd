import { limits } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { Pages, PageSource } from '../sites/pages.ts';

/**
 * A page's new source, as it may be saved: whole characters, at most 2 MB in UTF-8, and readable as a page.
 * @throws DomainError INVALID_INPUT, LIMIT_EXCEEDED
 */
export async function checkSource(pages: Pages, page: PageSource): Promise<string> {
  const { source } = page;
  if (!source.isWellFormed()) throw new DomainError('INVALID_INPUT', 'The source holds half of a character');
  if (source.trim() === '') throw new DomainError('INVALID_INPUT', 'The source must not be empty');
  const bytes = Buffer.byteLength(source);
  if (bytes > limits.pageBytes)
    throw new DomainError(
      'INVALID_INPUT',
      `The page would have ${bytes} bytes, at most ${limits.pageBytes} are allowed`,
    );
  await pages.read(page);
  return source;
}
