import { type PagesTogether, together } from '../src/contract/together.ts';
import type { PageItem, WrittenPage } from '../src/contract/task.ts';
import type { OpenTemplate, PagesArgument } from './pageWriter.ts';
import { bytesOf } from './refuseTooMuch.ts';

interface GeneratePages extends Omit<PagesArgument, 'model'> {
  items: PageItem[];
}

/** Of all pages of an answer. Temporal takes 2 MiB. */
const MOST_BYTES = 1024 * 1024;

/**
 * Writes several pages by the embedded rules, which take milliseconds for each: one step costs Temporal less than a
 * step for each page. A page that fails, and one that the answer has no room for, is left out: a step of its own
 * repeats it, and tells why it fails. Repeatable: it has no effect but its answer. Throws CHANGED_BY_DEPLOY.
 */
export function createGeneratePages(openTemplate: OpenTemplate) {
  return async ({ items, ...argument }: GeneratePages, signal: AbortSignal): Promise<PagesTogether> => {
    const write = await openTemplate(argument, signal);
    const answers = await Promise.all(items.map((item) => write(item).catch(() => null)));
    signal.throwIfAborted();
    const pages = answers.map((page) => (page?.rejected ? null : page));
    return together(
      items.map(({ targetPageSlug }) => targetPageSlug),
      withinBytes(pages),
    );
  };
}

function withinBytes(pages: (WrittenPage | null)[]): (WrittenPage | null)[] {
  let left = MOST_BYTES;
  return pages.map((page) => {
    left -= bytesOf(page);
    return left < 0 ? null : page;
  });
}
