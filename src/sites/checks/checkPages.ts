import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Tree } from '../git/repository.ts';
import type { Fault } from '../formats/faults.ts';
import { foreignOf } from './newToSite.ts';
import { NAMED_FAULTS } from './namedFaults.ts';
import type { PageCheck, PageSource } from '../formats/format.ts';
import type { Pages } from '../pages/pages.ts';
import { allGained, type Gained, gainedAt } from './newOutsiders.ts';

/**
 * Checks changed pages against their former versions or templates. One fault fails all.
 * @param changes all pages that one commit writes
 * @param site the site before the change: pages may get classes, inline styles, forms and frames
 *   that it has; null for a change by hand, which may add new ones
 * @param styleSheets the style sheets that the same change writes: pages may get their classes
 * @returns the outsiders and doubled links that the pages have and their former versions had not
 * @throws DomainError CHECK_FAILED naming page, place and expectation of the first faults;
 *   LIMIT_EXCEEDED for pages that became too large
 */
export async function checkPages(
  pages: Pick<Pages, 'check' | 'knownKeys' | 'isPage' | 'slugOf'>,
  changes: PageCheck[],
  site: Tree | null,
  styleSheets: PageSource[] = [],
): Promise<Gained> {
  checkSizes(
    changes.map(({ path, after }) => ({
      slug: pages.slugOf(path),
      bytes: Buffer.byteLength(after),
    })),
  );
  const results = await Promise.all(
    changes.map(async (change) => {
      const { gains, violations: faults, more, ...gained } = await pages.check(change);
      const foreign = site === null ? [] : await foreignOf({ site, styleSheets }, pages, gains);
      const slug = pages.slugOf(change.path);
      return {
        messages: [...faults, ...foreign].map((fault) => messageOf(slug, fault)),
        more,
        gained: gainedAt(change.path, gained),
      };
    }),
  );
  const named = results.flatMap(({ messages }) => messages);
  if (named.length === 0) return allGained(results.map(({ gained }) => gained));
  const count = results.reduce((sum, { more }) => sum + more, named.length);
  const rest = count - Math.min(named.length, NAMED_FAULTS);
  const list = named.slice(0, NAMED_FAULTS).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
  throw new DomainError(
    'CHECK_FAILED',
    `The changed pages did not pass the checks, so nothing was committed: ${list}`,
  );
}

/** A fault with its page, for messages. */
export const messageOf = (slug: string, { line, element, problem, expected }: Fault) =>
  `${slug}, line ${line}, ${element}: ${problem} (expected: ${expected})`;

function checkSizes(pages: { slug: string; bytes: number }[]) {
  const large = pages.find(({ bytes }) => bytes > limits.pageBytes);
  if (large)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `Page ${large.slug} would have ${large.bytes} bytes; at most ${limits.pageBytes} are allowed`,
    );
  const total = pages.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = pages.reduce((a, b) => (b.bytes > a.bytes ? b : a), { slug: '', bytes: 0 });
  if (total > limits.taskBytes)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The task's ${pages.length} pages would have ${total} bytes together; at most ${limits.taskBytes} are allowed (the largest, ${largest.slug}, has ${largest.bytes})`,
    );
}
