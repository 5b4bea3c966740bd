import type { PageChanges, PageNames } from '../../../contract/answers.ts';
import { count, pageNames } from '../../../browser/counts.ts';

/** Lists what changes when an earlier version goes live again. */
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
