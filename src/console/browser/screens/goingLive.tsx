import type { PageChanges, PageNames, PublishCheck } from '../../../contract/answers.ts';
import { count } from '../counted.ts';
import { pageNames } from '../taskWords.ts';

/** What goes live with a task's pages: those of the tasks below, and what others pushed. */
export function GoesLiveToo({ check: { tasks, pushed } }: { check: PublishCheck }) {
  const others = pushed ? [pushed.created, pushed.modified, pushed.deleted] : [];
  const slugs = others.flatMap((pages) => pages.slugs);
  const all = others.reduce((sum, pages) => sum + pages.count, 0);
  return (
    <>
      {tasks.map(({ taskId, title, pages }) => (
        <p key={taskId}>
          Also publishes {count(pages.count, 'page')} of the task “{title}”: {pageNames(pages)}
        </p>
      ))}
      {all > 0 && (
        <p>
          Also puts live {count(all, 'page')} that others changed in the repository:{' '}
          {pageNames({ count: all, slugs })}
        </p>
      )}
    </>
  );
}

/** What putting an earlier version live again changes. */
export function Restores({ changes: { created, modified, deleted } }: { changes: PageChanges }) {
  if (created.count + modified.count + deleted.count === 0) return <p>No page changes.</p>;
  return (
    <ul>
      <Line pages={deleted} one="page would be gone" many="pages would be gone" />
      <Line
        pages={modified}
        one="page returns to its older text"
        many="pages return to their older texts"
      />
      <Line pages={created} one="page comes back" many="pages come back" />
    </ul>
  );
}

const Line = ({ pages, one, many }: { pages: PageNames; one: string; many: string }) =>
  pages.count > 0 && (
    <li>
      {count(pages.count, one, many)}: {pageNames(pages)}
    </li>
  );
