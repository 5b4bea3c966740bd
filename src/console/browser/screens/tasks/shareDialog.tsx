import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { api, post } from '../../client/api.ts';
import type { CreatedShareResponse, ShareResponse, Task } from '../../../../contract/responses.ts';
import { useData } from '../../useData.ts';
import { Button, type SelectChoice, CopyLine, SelectField, Toggle } from '../../ui/controls.tsx';
import { askToConfirm, Dialog } from '../../ui/dialog.tsx';
import { Loaded, Notice } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

const linkLifetimes: SelectChoice[] = [
  ['1', 'A day'],
  ['7', '7 days'],
  ['30', '30 days'],
];

/** Whether the task has pages that a link can show. */
export const isShareable = ({ status, output }: Task) =>
  status === 'completed' &&
  [...(output?.pagesCreated ?? []), ...(output?.pagesModified ?? [])].some(
    ({ previewUrl }) => previewUrl !== null,
  );

/** The task or the batch whose pages are shared. */
export type SharedIds = { taskId: string } | { batchId: string };

interface ShareDialogProps {
  shared: SharedIds;
  close: () => void;
}

/** Creates links to pages of a task or batch for people without an account, and revokes them. */
export function ShareDialog({ shared, close }: ShareDialogProps) {
  const links = useData(`shares ${JSON.stringify(shared)}`, async () => {
    const query = { ...shared, limit: 100 };
    return (await api<{ shares: ShareResponse[] }>(hostPath`/shares`, { query })).shares;
  });
  const [access, setAccess] = useState<ShareResponse['access']>('view');
  const [days, setDays] = useState('7');
  const [newLink, setNewLink] = useState<CreatedShareResponse>();
  const createLink = async () => {
    const path =
      'batchId' in shared
        ? hostPath`/agent/batches/${shared.batchId}/shares`
        : hostPath`/agent/tasks/${shared.taskId}/shares`;
    const link = await post<CreatedShareResponse>(path, { access, days: Number(days) });
    setNewLink(link);
    links.set([link, ...(links.data ?? [])]);
    links.reload();
  };
  const onEnd = ({ shareId }: ShareResponse) => {
    if (shareId === newLink?.shareId) setNewLink(undefined);
    links.reload();
  };
  const isInForce = ({ shareId }: ShareResponse) =>
    links.data?.some((link) => link.shareId === shareId) ?? true;
  return (
    <Dialog
      wide
      title="Share"
      submit="Create link"
      cancel="Done"
      onClose={close}
      onSubmit={createLink}
    >
      <p class="muted">
        Everybody who has the link can see these pages without an account. A link never publishes.
        Viewers of your organization also see the links that allow viewing in their list.
      </p>
      <div class="row wide top">
        <div class="field">
          <span class="legend">People can</span>
          <Toggle
            label="People can"
            value={access}
            onChange={setAccess}
            choices={[
              ['view', 'View', 'desktop'],
              ['comment', 'Comment', 'check'],
              ['edit', 'Edit', 'pencil'],
            ]}
          />
        </div>
        <SelectField
          label="The link works for"
          value={days}
          choices={linkLifetimes}
          onChange={setDays}
        />
      </div>
      {newLink && isInForce(newLink) && (
        <Notice kind="good">
          <div class="stack tight">
            <span>Copy the link now. It is not shown again after you close this dialog.</span>
            <CopyLine value={newLink.url} />
          </div>
        </Notice>
      )}
      <Loaded of={links} lines={2}>
        {(shareLinks) =>
          shareLinks.length > 0 && (
            <ShareLinkList links={shareLinks} newest={newLink?.shareId} onEnd={onEnd} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

interface ShareLinksProps {
  links: ShareResponse[];
  newest: string | undefined;
  onEnd: (link: ShareResponse) => void;
}

const ShareLinkList = ({ links, newest, onEnd }: ShareLinksProps) => (
  <section class="stack tight" aria-label="Active links">
    <h3>Active links</h3>
    <ul class="links">
      {links.map((link) => (
        <li key={link.shareId}>
          <span>
            {accessWords(link)}
            {link.shareId === newest && <span class="tag good">New</span>}
            <span class="under muted small">
              Created <Time at={link.createdAt} />, expires <Time at={link.expiresAt} />
            </span>
          </span>
          <Button little look="danger" onClick={() => askToEndLink(link, () => onEnd(link))}>
            Revoke
          </Button>
        </li>
      ))}
    </ul>
  </section>
);

const wordsOfAccess = {
  view: 'View',
  comment: 'Comment and approve',
  edit: 'Comment and edit',
} as const satisfies Record<ShareResponse['access'], string>;

export const accessWords = ({ access }: Pick<ShareResponse, 'access'>) => wordsOfAccess[access];

export function askToEndLink(
  { shareId, access }: Pick<ShareResponse, 'shareId' | 'access'>,
  onEnd: () => void,
): void {
  askToConfirm({
    title: 'Revoke this link?',
    text:
      access === 'edit'
        ? 'The link stops working, and editors that were opened with it can no longer save. You can’t undo this.'
        : 'The link stops working. You can’t undo this.',
    submit: 'Revoke the link',
    async onSubmit() {
      await api(hostPath`/shares/${shareId}`, { method: 'DELETE' });
      onEnd();
    },
  });
}
