import { Fragment } from 'preact';
import type { CheckedNote } from '../../../contract/answers.ts';
import type { CellRemark } from '../../../contract/check.ts';
import { count } from '../../../browser/counts.ts';
import { isOfTemplate } from '../noteWords.ts';
import { Dot } from '../ui/states.tsx';
import type { RowCheck, TableChecks } from './useTableChecks.ts';

interface SaidProps {
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
export function Said({ problems, otherwise, check, isOpen, row, about, onToggle }: SaidProps) {
  if (problems.length > 0)
    return (
      <span class="said bad">
        {problems.map((problem) => (
          <span key={problem}>{problem}</span>
        ))}
      </span>
    );
  if (!check) return <Dot kind={dots[otherwise]}>{otherwise}</Dot>;
  const { unused, stays, remarks } = check;
  const facts = factsOf(check);
  if (remarks.length + unused.length + facts.length + stays.length === 0)
    return <Dot kind="good">Nothing</Dot>;
  const said = [
    remarks.length > 0 && `${count(remarks.length, 'cell')} to look at`,
    unused.length > 0 && `${count(unused.length, 'cell')} not used`,
    facts.length > 0 && `${count(facts.length, 'fact')} from ${about}`,
  ].filter(Boolean);
  const text = said.join(' · ') || 'Nothing';
  return (
    <button
      type="button"
      class="link"
      aria-expanded={isOpen}
      aria-label={`Row ${row}: ${text}`}
      onClick={onToggle}
    >
      <Dot kind={said.length > 0 ? 'warn' : 'good'}>{text}</Dot>
    </button>
  );
}

const dots = { Checking: 'busy', 'Not checked': '', 'No problem': 'good' } as const;

const factsOf = ({ notes }: RowCheck) => notes.filter(isOfTemplate);

/** A note's text without the page's address at its start. */
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
    .toSorted((one, other) => Number(isSeen(other)) - Number(isSeen(one)))
    .map((label) => [label, stays.filter((each) => each.label === label)]);
}

/** Lists the remarks on a whole row, with the values. */
const RemarkList = ({ remarks }: { remarks: CellRemark[] }) => (
  <>
    <span class="strong">Cells to look at</span>
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

export function Stays({ check, about }: { check: RowCheck; about: string }) {
  const { stays, unused, remarks } = check;
  const facts = factsOf(check);
  return (
    <>
      {remarks.length > 0 && <RemarkList remarks={remarks} />}
      {unused.length > 0 && (
        <p class="unused">
          <span class="strong">Not used, as the template has no place for it: </span>
          {unused.join(' · ')}
        </p>
      )}
      {facts.length > 0 && (
        <>
          <span class="strong">Facts from {about}</span>
          <ul class="fact-list">
            {facts.map((note) => (
              <li key={note.text}>{factWords(note)}</li>
            ))}
          </ul>
        </>
      )}
      {stays.length > 0 && (
        <>
          <span class="strong">These stay as the template has them</span>
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
