import { path } from '../../../browser/path.ts';
import type { UsageReport } from '../../../contract/answers.ts';
import { ButtonLink } from '../ui/controls.tsx';
import { Notice } from '../ui/states.tsx';
import { useAnswer } from '../useData.ts';
import { limitNotice } from '../usageWords.ts';

const EVERY_MS = 300_000;

/** Says, on every screen, that most tokens of the month are used. */
export function UsageNotice() {
  const { data } = useAnswer<UsageReport>(path`/usage`, {}, EVERY_MS);
  const notice = data?.limit && limitNotice(data.limit);
  if (!notice) return null;
  return (
    <div class="page above">
      <Notice
        kind="warn"
        actions={
          <ButtonLink href="/settings/usage" little>
            Usage
          </ButtonLink>
        }
      >
        {notice}
      </Notice>
    </div>
  );
}
