import type { EventBody } from '../events.ts';
import { shortLine } from './summaries.ts';

/** An event in words for people: in a channel, or in an e-mail. */
export interface EventWords {
  /** One line. */
  headline: string;
  /** More lines, of plain text. */
  details: string[];
  /** The task or batch in the console. */
  url: string;
}

/** Customers and models choose the titles, questions and errors, so these are cut to one line. */
const TITLE_LENGTH = 120;
const DETAIL_LENGTH = 300;

/** Words an event for people. */
export function wordEvent({ type, data }: EventBody): EventWords {
  const title = shortLine(data.title, TITLE_LENGTH);
  const words = (headline: string, ...details: string[]): EventWords => ({
    headline: `${headline}: ${title}`,
    details: details.map((detail) => shortLine(detail, DETAIL_LENGTH)),
    url: data.url,
  });
  switch (type) {
    case 'task.completed':
      return words('A task is done', `${countOf(data.pageCount, 'page')}, ${notesOf(data)}`);
    case 'task.failed':
      return data.failureKind === 'cancelled'
        ? words('A task was cancelled')
        : words('A task has failed', data.errorMessage);
    case 'task.question':
      return words('A task asks a question', data.question);
    case 'batch.waiting':
      return words(
        'A batch waits for your approval',
        `${countOf(data.rows.committed + data.rows.held, 'page')} to look at, ${countOf(data.rows.waiting, 'row')} left`,
      );
    case 'batch.completed':
      return words(
        {
          completed: 'A batch is done',
          failed: 'A batch has failed',
          cancelled: 'A batch was cancelled',
        }[data.status],
        `${data.rows.published} published, ${data.rows.committed} in the preview, ${data.rows.held} held, ${data.rows.failed} failed`,
      );
    case 'page.published':
      return words(
        data.pageCount === 1 ? 'A page is live' : `${data.pageCount} pages are live`,
        ...data.pages.slice(0, 3).map(({ slug, publishedUrl }) => publishedUrl ?? slug),
      );
    case 'review.requested':
      return words(
        'A review was requested',
        `A link to ${data.access} the pages is valid until ${data.expiresAt}`,
      );
    case 'review.completed':
      return words(
        data.isFine ? 'A review ended: all pages are fine' : 'A review ended with comments',
        `By ${data.guest}`,
      );
    case 'pull_request.waiting':
      return words('A pull request waits to be merged', data.pullRequestUrl);
  }
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const notesOf = ({ noteCount }: { noteCount: number }) =>
  noteCount === 0 ? 'nothing to check' : `${countOf(noteCount, 'note')} to check`;
