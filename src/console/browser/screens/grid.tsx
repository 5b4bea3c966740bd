import { wordsOf } from '../../../browser/http.ts';
import type { Site, SitePage } from '../../../contract/answers.ts';
import { type Draft, isBatch } from '../draft.ts';
import type { ChangeDraft } from '../useDraft.ts';
import { isToStart, type Line, linesOf } from '../tableLines.ts';
import { columnsOf } from '../table.ts';
import { templateName } from '../templateName.ts';
import { Problem } from '../ui/states.tsx';
import { TableOptions } from './tableOptions.tsx';
import { Rows } from './rows.tsx';
import { StartRows } from './startRows.tsx';
import { type Checks, type Request, useRowChecks } from './useRowChecks.ts';
import { useTemplate } from './useTemplate.ts';

interface GridProps {
  site: Site;
  pages: SitePage[];
  template: SitePage;
  draft: Draft;
  change: ChangeDraft;
  /** Forgets the table. */
  end: () => void;
}

/**
 * Lets people map columns to parts of the template, shows what would stay as in the template, and
 * starts a task, or a batch for more rows than a task takes.
 */
export function Grid({ site, pages, template, draft, change, end }: GridProps) {
  const { labels, language, home } = useTemplate(site.siteId, template.slug);
  const { names, rows, chosen, options } = draft;
  const columns = columnsOf({ names, rows: rows.map(({ cells }) => cells) }, labels, chosen);
  const lines = linesOf(draft, columns, {
    template: template.slug,
    language,
    homes: [home, site.liveUrl].flatMap((each) => each ?? []),
    existing: pages.map(({ slug }) => slug),
  });
  const request: Request = {
    siteId: site.siteId,
    command: 'generate_pages',
    templatePageSlug: template.slug,
    ...(options.facts === 'drop' && { facts: 'drop' as const }),
    ...(options.linkFrom && { linkFrom: options.linkFrom }),
  };
  const toStart = lines.filter(isToStart);
  const checks = useRowChecks(
    request,
    toStart.filter(({ problems }) => problems.length === 0).map(({ item }) => item),
  );
  const about = templateName(template);
  const items = toStart.map(({ item }) => item);
  return (
    <section class="card" aria-label="Rows">
      <Rows
        labels={labels}
        columns={columns}
        lines={lines}
        checks={checks}
        about={about}
        change={change}
      />
      <div class="card-body stack">
        {checks.problems.map((problem) => (
          <Problem key={problem}>{problem}</Problem>
        ))}
        {checks.error !== undefined && (
          <Problem>The rows could not be checked: {wordsOf(checks.error)}</Problem>
        )}
        <TableOptions
          options={options}
          pages={pages}
          template={template.slug}
          about={about}
          isBatch={isBatch(items.length)}
          onChange={(next) => change((former) => ({ ...former, options: next }))}
        />
      </div>
      <StartRows
        draft={draft}
        change={change}
        end={end}
        request={request}
        items={items}
        bad={toStart.filter((line) => isBad(line, checks)).map(({ row }) => row.id)}
        isChecking={checks.isChecking}
      />
    </section>
  );
}

const isBad = ({ row, problems }: Line, checks: Checks) =>
  problems.length > 0 || (checks.rows.get(row.id)?.problems.length ?? 0) > 0;
