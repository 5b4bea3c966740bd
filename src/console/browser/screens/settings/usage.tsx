import { useState } from 'preact/hooks';
import { path } from '../../../../browser/path.ts';
import type { UsageCounts, UsageMonth, UsageReport } from '../../../../contract/answers.ts';
import type { Organization } from '../../../../contract/people.ts';
import { api } from '../../client/api.ts';
import { useIsAtLeast } from '../../client/session.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { Card, CardForm } from '../../ui/card.tsx';
import { Loaded, Notice } from '../../ui/states.tsx';
import { ListTable, MainCell } from '../../ui/table.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useAnswer } from '../../useData.ts';
import { callsOf, limitNotice, moneyOf, monthOf, numberOf, tokensOf } from '../../usageWords.ts';

/** What language models and builds were used for, by month, and the limit of tokens. */
export function Usage() {
  const usage = useAnswer<UsageReport>(path`/usage`);
  const organization = useAnswer<Organization>(path`/organization`);
  const notice = usage.data?.limit && limitNotice(usage.data.limit);
  const changed = () => {
    usage.reload();
    organization.reload();
  };
  return (
    <>
      {notice && <Notice kind="warn">{notice}</Notice>}
      <Card
        title="Usage"
        lead="What language models were used for, and builds by your hosts, by month (UTC)."
      >
        <Loaded of={usage} lines={4}>
          {({ months }) => <Months months={months} />}
        </Loaded>
      </Card>
      <Card title="Limit" lead="Tokens of language models, read and written, in each month (UTC).">
        <Loaded of={usage} lines={2}>
          {({ limit }) => (
            <Loaded of={organization} lines={2}>
              {({ tokensPerMonth }) => (
                <LimitForm limit={limit} own={tokensPerMonth} onChange={changed} />
              )}
            </Loaded>
          )}
        </Loaded>
      </Card>
    </>
  );
}

function Months({ months }: { months: UsageMonth[] }) {
  const isPriced = months.some(({ cost, models }) => cost ?? models.some((model) => model.cost));
  const isBuilt = months.some(({ builds }) => builds > 0);
  const columns = [
    'Month',
    'Calls',
    'Tokens',
    ...(isPriced ? ['Cost'] : []),
    ...(isBuilt ? ['Builds'] : []),
  ];
  return (
    <ListTable columns={columns}>
      {months.flatMap(({ month, models, builds, ...total }) => [
        <Row
          key={month}
          counts={total}
          isPriced={isPriced}
          builds={isBuilt && builds}
          title={monthOf(month)}
        >
          {models.length === 1
            ? models[0]!.model
            : models.length + builds === 0 && 'Nothing was used'}
        </Row>,
        ...(models.length > 1 ? models : []).map(({ model, ...counts }) => (
          <Row key={`${month} ${model}`} counts={counts} isPriced={isPriced} builds={isBuilt && 0}>
            {model}
          </Row>
        )),
      ])}
    </ListTable>
  );
}

interface RowProps {
  counts: UsageCounts;
  isPriced: boolean | undefined;
  /** false: no month has any. */
  builds: number | false;
  /** The month; absent in the row of one of its models. */
  title?: string;
  children: string | false;
}

const Row = ({ counts, isPriced, builds, title, children }: RowProps) => (
  <tr>
    <MainCell title={title}>{children}</MainCell>
    <td>{counts.calls > 0 && callsOf(counts)}</td>
    <td>
      {counts.calls > 0 && tokensOf(counts)}
      {counts.estimatedCalls > 0 && (
        <span class="under">{numberOf(counts.estimatedCalls)} of the calls estimated</span>
      )}
    </td>
    {isPriced && <td>{counts.cost ? moneyOf(counts.cost) : '—'}</td>}
    {builds !== false && <td>{builds > 0 && numberOf(builds)}</td>}
  </tr>
);

interface LimitProps {
  limit: UsageReport['limit'];
  /** The organization's own limit. */
  own: number | null;
  onChange: () => void;
}

function LimitForm({ limit, own, onChange }: LimitProps) {
  const maySet = useIsAtLeast('owner');
  const [text, setText] = useState(own === null ? '' : String(own));
  const digits = text.replace(/[\s,]/g, '');
  const wanted = digits === '' ? null : Number(digits);
  const isNumber = wanted === null || Number.isSafeInteger(wanted);
  const save = async () => {
    await api(path`/organization`, { method: 'PATCH', body: { tokensPerMonth: wanted } });
    toast('Saved');
    onChange();
  };
  return (
    <CardForm
      foot={
        limit
          ? `${numberOf(limit.usedTokens)} of ${numberOf(limit.tokensPerMonth)} used. The ${limit.setBy} set this limit.`
          : 'There is no limit.'
      }
      actions={
        maySet && (
          <Button look="primary" disabled={!isNumber || wanted === own} onClick={save}>
            Save
          </Button>
        )
      }
    >
      <TextField
        label="Tokens per month"
        value={text}
        onInput={setText}
        readOnly={!maySet}
        hint={
          maySet
            ? 'Leave it empty for no limit of your own. It can’t be above the operator’s. Owners get a mail at 80 %.'
            : 'Owners can set it.'
        }
      />
    </CardForm>
  );
}
