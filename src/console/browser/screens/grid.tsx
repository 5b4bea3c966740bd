import { useState } from 'preact/hooks';
import { wordsOf } from '../../../browser/http.ts';
import type { Site, SitePage } from '../../../contract/answers.ts';
import { type Draft, isBatch } from '../draft.ts';
import type { ChangeDraft } from '../useDraft.ts';
import { ROWS_SHOWN, type Shown, shownIn, wholeTable } from '../shownRows.ts';
import { isToStart } from '../tableLines.ts';
import { templateName } from '../templateName.ts';
import { Problem } from '../ui/states.tsx';
import { TableOptions } from './tableOptions.tsx';
import { RowParts } from './rowParts.tsx';
import { Rows } from './rows.tsx';
import { StartRows } from './startRows.tsx';
import { type DraftedTable, useLines } from './useLines.ts';
import { type Request, useTableChecks } from './useTableChecks.ts';

interface GridProps extends DraftedTable {
  change: ChangeDraft;
  /** Forgets the table. */
  end: () => void;
}

/**
 * Lets people map columns to parts of the template, shows what would stay as in the template, and
 * starts a task, or a batch for more rows than a task takes.
 */
export function Grid({ site, pages, template, draft, change, end }: GridProps) {
  const { options } = draft;
  const { labels, columns, source, lines } = useLines({ site, pages, template, draft });
  const [part, setPart] = useState<Shown>(wholeTable);
  const { shown } = shownIn(lines, part);
  const request = requestOf(site, template, draft);
  const checks = useTableChecks(request, lines, shown);
  const about = templateName(template);
  const items = lines.filter(isToStart).map(({ item }) => item);
  const { problems, error, bad } = checks;
  return (
    <section class="card" aria-label="Rows">
      {lines.length > ROWS_SHOWN && (
        <RowParts lines={lines} bad={bad} shown={part} onShow={setPart} change={change} />
      )}
      <Rows
        key={`${part.which} ${part.from}`}
        labels={labels}
        columns={columns}
        source={source}
        lines={shown}
        checks={checks}
        about={about}
        change={change}
      />
      <div class="card-body stack">
        {problems.map((problem) => (
          <Problem key={problem}>{problem}</Problem>
        ))}
        {error !== undefined && <Problem>The rows could not be checked: {wordsOf(error)}</Problem>}
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
        checks={checks}
      />
    </section>
  );
}

const requestOf = (site: Site, template: SitePage, { options }: Draft): Request => ({
  siteId: site.siteId,
  command: 'generate_pages',
  templatePageSlug: template.slug,
  ...(options.facts === 'drop' && { facts: 'drop' as const }),
  ...(options.linkFrom && { linkFrom: options.linkFrom }),
});
