import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Tree } from '../git/repository.ts';
import { findForeignFeatures } from './foreignFeatures.ts';
import { checkFailedError } from './namedViolations.ts';
import type { PageCheck, PageSource } from '../formats/format.ts';
import type { PageMethods } from '../pages/pages.ts';
import { mergeAdditions, type ChangeAdditions, additionsOfFile } from './newReferences.ts';
import { violationMessage } from './violationMessage.ts';

/**
 * Checks changed pages against their former versions or templates. One violation fails all.
 * @param changes all pages that one commit writes
 * @param site the site before the change: pages may get classes, inline styles, forms and frames
 *   that it has; null for a change by hand, which may add new ones
 * @param styleSheets the style sheets that the same change writes: pages may get their classes
 * @returns what the pages have and their former versions had not, such as external references
 * @throws DomainError CHECK_FAILED with page, line and expectation of the first violations;
 *   LIMIT_EXCEEDED for pages that became too large
 */
export async function checkPages(
  pages: Pick<PageMethods, 'check' | 'knownKeys' | 'isPage' | 'slugOf'>,
  changes: PageCheck[],
  site: Tree | null,
  styleSheets: PageSource[] = [],
): Promise<ChangeAdditions> {
  checkPageSizes(
    changes.map(({ path, after }) => ({
      slug: pages.slugOf(path),
      bytes: Buffer.byteLength(after),
    })),
  );
  const results = await Promise.all(
    changes.map(async (change) => {
      const { gains, violations, more, ...additions } = await pages.check(change);
      const foreignViolations =
        site === null ? [] : await findForeignFeatures({ site, styleSheets }, pages, gains);
      const slug = pages.slugOf(change.path);
      return {
        messages: [...violations, ...foreignViolations].map(
          (violation) => `${slug}, ${violationMessage(violation)}`,
        ),
        more,
        gained: additionsOfFile(change.path, additions),
      };
    }),
  );
  const allMessages = results.flatMap(({ messages }) => messages);
  if (allMessages.length === 0)
    return mergeAdditions(results.map(({ gained: additions }) => additions));
  const count = results.reduce((sum, { more }) => sum + more, allMessages.length);
  throw checkFailedError('pages', allMessages, count);
}

function checkPageSizes(pages: { slug: string; bytes: number }[]) {
  const large = pages.find(({ bytes }) => bytes > limits.pageBytes);
  if (large)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `Page ${large.slug} would have ${large.bytes} bytes; at most ${limits.pageBytes} are allowed`,
    );
  const total = pages.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = pages.reduce(
    (best, candidate) => (candidate.bytes > best.bytes ? candidate : best),
    { slug: '', bytes: 0 },
  );
  if (total > limits.taskBytes)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The ${pages.length} pages of the task would have ${total} bytes in total; at most ${limits.taskBytes} are allowed (the largest page, ${largest.slug}, has ${largest.bytes})`,
    );
}
