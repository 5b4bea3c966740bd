import { Fragment } from 'preact';
import type { CheckedNote } from '../../../../contract/responses.ts';
import type { CellRemark } from '../../../../contract/checks.ts';
import { countNoun } from '../../../../browser/counts.ts';
import { isOfTemplate } from '../../../../contract/notes/noteFacts.ts';
import { StateDot } from '../../ui/states.tsx';
import type { RowCheck, TableChecks } from './useTableChecks.ts';

interface RowRemarksProps {
  problems: string[];
  otherwise: TableChecks['otherwise'];
  check: RowCheck | undefined;
  isOpen: boolean;
  row: number;
  /** The template's subject, such as "Austin". */
  about: string;
  onToggle: () => void;
}

/** Says in a few words what to check in a row. */
export function RowRemarks({
  problems,
  otherwise,
  check,
  isOpen,
  row,
  about,
  onToggle,
}: RowRemarksProps) {
  if (problems.length > 0)
    return (
      <span class="said bad">
        {problems.map((problem) => (
          <span key={problem}>{problem}</span>
        ))}
      </span>
    );
  if (!check) return <StateDot kind={stateDots[otherwise]}>{otherwise}</StateDot>;
  const { unused, stays, remarks } = check;
  const factNotes = templateFacts(check);
  if (remarks.length + unused.length + factNotes.length + stays.length === 0)
    return <StateDot kind="good">Nothing</StateDot>;
  const remarkWords = [
    remarks.length > 0 && `${countNoun(remarks.length, 'cell')} to check`,
    unused.length > 0 && `${countNoun(unused.length, 'cell')} not used`,
    factNotes.length > 0 && `${countNoun(factNotes.length, 'fact')} from ${about}`,
  ].filter(Boolean);
  const remarkText = remarkWords.join(' · ') || 'Nothing';
  return (
    <button
      type="button"
      class="link"
      aria-expanded={isOpen}
      aria-label={`Row ${row}: ${remarkText}`}
      onClick={onToggle}
    >
      <StateDot kind={remarkWords.length > 0 ? 'warn' : 'good'}>{remarkText}</StateDot>
    </button>
  );
}

const stateDots = { Checking: 'busy', 'Not checked': '', 'No problem': 'good' } as const;

const templateFacts = ({ notes }: RowCheck) => notes.filter(isOfTemplate);

/** A note's text without the page's address at its start, which the table shows already. */
const factWords = ({ page, text }: CheckedNote) =>
  page !== undefined && text.startsWith(`${page}: `) ? text.slice(page.length + 2) : text;

/**
 * Groups texts by their labels. Texts that people see come before those that only search engines
 * read.
 */
function byLabel(stays: RowCheck['stays']): [label: string, texts: RowCheck['stays']][] {
  const labels = [...new Set(stays.map(({ label }) => label))];
  const isSeen = (label: string) => !/^(structured data|title|description|social)/.test(label);
  return labels
    .toSorted((firstLabel, secondLabel) => Number(isSeen(secondLabel)) - Number(isSeen(firstLabel)))
    .map((label) => [label, stays.filter((carriedText) => carriedText.label === label)]);
}

/** Lists the cells of a row that need a look, and why. */
const RemarkList = ({ remarks }: { remarks: CellRemark[] }) => (
  <>
    <span class="strong">Cells to check</span>
    <dl class="stays">
      {remarks.map((remark) => (
        <div key={remark.label + remark.message}>
          <dt>{remark.label === '' ? remark.fills : remark.label}</dt>
          <dd>{remark.message}.</dd>
        </div>
      ))}
    </dl>
  </>
);

/**
 * What the check found for one row: cells to check, cells that the template has no place for, and
 * the template's facts and texts that the new page would still have.
 */
export function CarriedOverTexts({ check, about }: { check: RowCheck; about: string }) {
  const { stays, unused, remarks } = check;
  const factNotes = templateFacts(check);
  return (
    <>
      {remarks.length > 0 && <RemarkList remarks={remarks} />}
      {unused.length > 0 && (
        <p class="unused">
          <span class="strong">Not used, because the template has no place for it: </span>
          {unused.join(' · ')}. You can choose a place below the name of the column.
        </p>
      )}
      {factNotes.length > 0 && (
        <>
          <span class="strong">Facts from {about}</span>
          <ul class="fact-list">
            {factNotes.map((note) => (
              <li key={note.text}>{factWords(note)}</li>
            ))}
          </ul>
        </>
      )}
      {stays.length > 0 && (
        <>
          <span class="strong">These texts stay as they are in the template</span>
          <dl class="stays">
            {byLabel(stays).map(([label, texts]) => (
              <Fragment key={label}>
                <dt>{label}</dt>
                {texts.map(({ slot, text }) => (
                  <dd key={slot}>{text}</dd>
                ))}
              </Fragment>
            ))}
          </dl>
        </>
      )}
    </>
  );
}
