import { useState } from 'preact/hooks';
import { hostPath } from '../../../../browser/hostPath.ts';
import type { UsageCounts, UsageMonth, UsageReport } from '../../../../contract/responses.ts';
import type { Organization } from '../../../../contract/membership.ts';
import { api } from '../../client/api.ts';
import { useIsAtLeast } from '../../client/session.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { Card, CardForm } from '../../ui/card.tsx';
import { Loaded, Notice } from '../../ui/states.tsx';
import { ListTable, MainCell } from '../../ui/table.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useAnswer } from '../../useData.ts';
import {
  callWords,
  limitNotice,
  moneyText,
  monthName,
  formatNumber,
  tokenWords,
} from '../../words/usageWords.ts';

/** Shows the use of language models and builds by month, and the limit of tokens per month. */
export function UsageCard() {
  const usage = useAnswer<UsageReport>(hostPath`/usage`);
  const organization = useAnswer<Organization>(hostPath`/organization`);
  const notice = usage.data?.limit && limitNotice(usage.data.limit);
  const reloadAll = () => {
    usage.reload();
    organization.reload();
  };
  return (
    <>
      {notice && <Notice kind="warn">{notice}</Notice>}
      <Card title="Usage" lead="Language model calls and builds by your hosts, per month (UTC).">
        <Loaded of={usage} lines={4}>
          {({ months }) => <MonthTable months={months} />}
        </Loaded>
      </Card>
      <Card title="Limit" lead="Language model tokens, read and written, per month (UTC).">
        <Loaded of={usage} lines={2}>
          {({ limit }) => (
            <Loaded of={organization} lines={2}>
              {({ tokensPerMonth }) => (
                <LimitForm limit={limit} own={tokensPerMonth} onChange={reloadAll} />
              )}
            </Loaded>
          )}
        </Loaded>
      </Card>
    </>
  );
}

function MonthTable({ months }: { months: UsageMonth[] }) {
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
      {months.flatMap(({ month, models, builds, ...monthCounts }) => [
        <UsageRow
          key={month}
          counts={monthCounts}
          isPriced={isPriced}
          builds={isBuilt && builds}
          title={monthName(month)}
        >
          {models.length === 1 ? models[0]!.model : models.length + builds === 0 && 'No usage'}
        </UsageRow>,
        ...(models.length > 1 ? models : []).map(({ model, ...counts }) => (
          <UsageRow
            key={`${month} ${model}`}
            counts={counts}
            isPriced={isPriced}
            builds={isBuilt && 0}
          >
            {model}
          </UsageRow>
        )),
      ])}
    </ListTable>
  );
}

interface UsageRowProps {
  counts: UsageCounts;
  isPriced: boolean | undefined;
  /** false: no month has any. */
  builds: number | false;
  /** The month; absent in the row of one of its models. */
  title?: string;
  children: string | false;
}

const UsageRow = ({ counts, isPriced, builds, title, children }: UsageRowProps) => (
  <tr>
    <MainCell title={title}>{children}</MainCell>
    <td>{counts.calls > 0 && callWords(counts)}</td>
    <td>
      {counts.calls > 0 && tokenWords(counts)}
      {counts.estimatedCalls > 0 && (
        <span class="under">{formatNumber(counts.estimatedCalls)} of the calls are estimated</span>
      )}
    </td>
    {isPriced && <td>{counts.cost ? moneyText(counts.cost) : '—'}</td>}
    {builds !== false && <td>{builds > 0 && formatNumber(builds)}</td>}
  </tr>
);

interface LimitProps {
  limit: UsageReport['limit'];
  /** The organization's own limit. */
  own: number | null;
  onChange: () => void;
}

function LimitForm({ limit, own: ownLimit, onChange }: LimitProps) {
  const maySet = useIsAtLeast('owner');
  const [text, setText] = useState(ownLimit === null ? '' : String(ownLimit));
  const digitText = text.replace(/[\s,]/g, '');
  const wantedLimit = digitText === '' ? null : Number(digitText);
  const isNumber = wantedLimit === null || Number.isSafeInteger(wantedLimit);
  const saveLimit = async () => {
    await api(hostPath`/organization`, { method: 'PATCH', body: { tokensPerMonth: wantedLimit } });
    toast('Saved');
    onChange();
  };
  return (
    <CardForm
      foot={
        limit
          ? `${formatNumber(limit.usedTokens)} of ${formatNumber(limit.tokensPerMonth)} used. The ${limit.setBy} set this limit.`
          : 'There is no limit.'
      }
      actions={
        maySet && (
          <Button
            look="primary"
            disabled={!isNumber || wantedLimit === ownLimit}
            onClick={saveLimit}
          >
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
            ? 'Leave the field empty for no limit of your own. Your limit can’t be above the operator’s limit. Owners get an e-mail at 80 %.'
            : 'Only owners can set the limit.'
        }
      />
    </CardForm>
  );
}
