import { useState } from 'preact/hooks';
import { errorText } from '../../../../browser/sendRequest.ts';
import type { SiteSummary, SitePageResponse } from '../../../../contract/responses.ts';
import { type TableDraft, isBatchSize } from '../../table/tableDraft.ts';
import type { ChangeDraft } from '../../table/useDraft.ts';
import { ROWS_SHOWN, type ShownRowRange, shownLines, wholeTable } from '../../table/shownRows.ts';
import { isToStart } from '../../table/draftLines.ts';
import { templateName } from '../../words/templateName.ts';
import { SkipLink } from '../../ui/skipLink.tsx';
import { Problem } from '../../ui/states.tsx';
import { TableOptions } from './tableOptions.tsx';
import { RowParts } from './rowParts.tsx';
import { Rows } from './rows.tsx';
import { START_ID, StartRows } from './startRows.tsx';
import { type DraftedTable, useLines } from './useLines.ts';
import { type TableRequest, useTableChecks } from './useTableChecks.ts';

interface GridProps extends DraftedTable {
  change: ChangeDraft;
  /** Removes the table. */
  end: () => void;
}

/**
 * The table's rows with the page that each would become. Lets people choose what each column fills,
 * shows which texts would stay as in the template, and starts a task. For more than ten rows, it
 * starts a batch.
 */
export function Grid({ site, pages, template, draft, change, end }: GridProps) {
  const { options } = draft;
  const { labels, columns, source, lines } = useLines({ site, pages, template, draft });
  const [shownPart, setPart] = useState<ShownRowRange>(wholeTable);
  const { shown: shownLineList } = shownLines(lines, shownPart);
  const request = tableRequest(site, template, draft);
  const checks = useTableChecks(request, lines, shownLineList);
  const templateSubject = templateName(template);
  const itemsToStart = lines.filter(isToStart).map(({ item }) => item);
  const { problems, error, bad } = checks;
  return (
    <section class="card" aria-label="Rows">
      <SkipLink to={START_ID}>Skip the rows</SkipLink>
      {lines.length > ROWS_SHOWN && (
        <RowParts lines={lines} bad={bad} shown={shownPart} onShow={setPart} change={change} />
      )}
      <Rows
        key={`${shownPart.which} ${shownPart.from}`}
        labels={labels}
        columns={columns}
        source={source}
        lines={shownLineList}
        checks={checks}
        about={templateSubject}
        change={change}
      />
      <div class="card-body stack">
        {problems.map((problem) => (
          <Problem key={problem}>{problem}</Problem>
        ))}
        {error !== undefined && (
          <Problem>The rows could not be checked: {errorText(error)}</Problem>
        )}
        <TableOptions
          options={options}
          pages={pages}
          template={template.slug}
          about={templateSubject}
          isBatch={isBatchSize(itemsToStart.length)}
          onChange={(nextOptions) =>
            change((formerDraft) => ({ ...formerDraft, options: nextOptions }))
          }
        />
      </div>
      <StartRows
        draft={draft}
        change={change}
        end={end}
        request={request}
        items={itemsToStart}
        checks={checks}
      />
    </section>
  );
}

const tableRequest = (
  site: SiteSummary,
  template: SitePageResponse,
  { options }: TableDraft,
): TableRequest => ({
  siteId: site.siteId,
  command: 'generate_pages',
  templatePageSlug: template.slug,
  ...(options.facts === 'drop' && { facts: 'drop' as const }),
  ...(options.linkFrom && { linkFrom: options.linkFrom }),
});
