import { hostPath } from '../../../../browser/hostPath.ts';
import type { SharedLink } from '../../../../contract/responses.ts';
import { callAccount } from '../../client/api.ts';
import { useAccount } from '../../client/session.ts';
import { useListOf } from '../../useData.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { ListedTable, MainCell, TimeCell } from '../../ui/table.tsx';

interface SharedPart {
  shared: SharedLink[];
  nextCursor: string | null;
}

/** The viewers' screen: previews that colleagues shared with them. */
export function Shared() {
  const { membership } = useAccount();
  const organizationId = membership?.organizationId;
  const shared = useListOf(`shared ${organizationId}`, async (cursor) => {
    const { shared: items, nextCursor } = await callAccount<SharedPart>(hostPath`/shared`, {
      query: { organizationId, cursor },
    });
    return { items, cursor: nextCursor };
  });
  return (
    <Page title="Shared with you">
      <section class="card" aria-label="Shared with you">
        <ListedTable
          of={shared}
          empty={
            <Empty icon="shared" title="Nothing is shared with you yet">
              You are a viewer of {membership?.name}. When a colleague shares previews, they appear
              here. To create pages yourself, ask an admin to make you a member.
            </Empty>
          }
          columns={['Pages', 'Site', 'Shared by', 'Until']}
          row={(link) => <SharedLinkRow key={link.shareId} link={link} />}
        />
      </section>
    </Page>
  );
}

const SharedLinkRow = ({
  link: { shareId, title, site, sharedBy, expiresAt },
}: {
  link: SharedLink;
}) => (
  <tr>
    <MainCell href={hostPath`/shared/${shareId}`.toString()} title={title ?? 'Pages'} />
    <td>{site}</td>
    <td class="muted">{sharedBy ?? 'A program'}</td>
    <TimeCell at={expiresAt} />
  </tr>
);
