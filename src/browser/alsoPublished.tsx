import type { PublishCheckResponse } from '../contract/responses.ts';
import { countNoun, pageNames } from './counts.ts';

/**
 * Lists what a publish leaves out, and what it also puts live: pages of other tasks, and changes
 * that others pushed.
 */
export function GoesLiveToo({
  check: { leftOut, tasks, pushed },
}: {
  check: PublishCheckResponse;
}) {
  const pushedLists = pushed ? [pushed.created, pushed.modified, pushed.deleted] : [];
  const slugs = pushedLists.flatMap((pages) => pages.slugs);
  const pushedCount = pushedLists.reduce((sum, pages) => sum + pages.count, 0);
  return (
    <>
      {leftOut.count > 0 && (
        <p>
          {countNoun(leftOut.count, 'page')} {leftOut.count === 1 ? 'is' : 'are'} left out:{' '}
          {pageNames(leftOut)}
        </p>
      )}
      {tasks.map(({ taskId, title, pages }) => (
        <p key={taskId}>
          This also publishes {countNoun(pages.count, 'page')} of the task “{title}”:{' '}
          {pageNames(pages)}
        </p>
      ))}
      {pushedCount > 0 && (
        <p>
          This also publishes {countNoun(pushedCount, 'page')} that others changed in the
          repository: {pageNames({ count: pushedCount, slugs })}
        </p>
      )}
    </>
  );
}
