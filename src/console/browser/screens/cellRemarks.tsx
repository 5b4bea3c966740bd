import { remarkWords } from '../cellRemarks.ts';
import type { CellRemark } from '../../../contract/check.ts';

/** Says below a cell's value what is wrong with it. The row can be started all the same. */
export const CellRemarks = ({ remarks = [] }: { remarks: CellRemark[] | undefined }) => (
  <>
    {remarks.map((remark) => (
      <span key={remark.message} class={`remark ${remark.severity === 'error' ? 'bad' : 'warn'}`}>
        {remarkWords(remark)}
      </span>
    ))}
  </>
);

/** Lists the remarks on a whole row, with the values. */
export const RemarkList = ({ remarks }: { remarks: CellRemark[] }) => (
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
