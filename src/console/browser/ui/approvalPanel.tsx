import type { HostPath } from '../../../browser/hostPath.ts';
import type { ApprovalList } from '../../../contract/responses.ts';
import { post } from '../client/api.ts';
import { toast } from './toasts.tsx';
import { useAnswer } from '../useData.ts';
import { Button } from './controls.tsx';
import { Notice } from './states.tsx';
import { Time } from './time.tsx';

/**
 * Says who approved the pages of a task or batch whose site publishes only approved pages, and lets
 * another person approve them. An approval publishes nothing.
 * @param path the approvals of the task or batch
 */
export function ApprovalPanel({ path }: { path: HostPath }) {
  const approvals = useAnswer<ApprovalList>(path);
  const { data } = approvals;
  if (!data) return null;
  const currentApprovals = data.approvals.filter(({ isOutdated }) => !isOutdated);
  const approve = async () => {
    approvals.set(await post<ApprovalList>(path, { version: data.version }));
    toast('Approved');
  };
  return (
    <Notice kind={data.isApproved ? 'good' : 'warn'}>
      <div class="row spread">
        <span>
          {currentApprovals.map(({ name, shareId, at }) => (
            <span key={at}>
              Approved by {name ?? 'a person'}
              {shareId !== null && ' (with a share link)'}, <Time at={at} />.{' '}
            </span>
          ))}
          {!data.isApproved && whatIsMissing(data)}
        </span>
        {data.mayApprove && <Button onClick={approve}>Approve these pages</Button>}
      </div>
    </Notice>
  );
}

function whatIsMissing({ approvals, mayApprove }: ApprovalList): string {
  const changed = approvals.length > 0 ? 'The pages have changed since their approval. ' : '';
  return (
    changed +
    (mayApprove
      ? 'These pages can be published after you or another person approve them. Approving publishes nothing.'
      : 'Another person must approve these pages before they can be published.')
  );
}
