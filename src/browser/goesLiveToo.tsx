import type { PublishCheck } from '../contract/answers.ts';
import { count, pageNames } from './counts.ts';

/** Lists what a publish also puts live: pages of other tasks, and changes that others pushed. */
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
