import { path } from '../../../browser/path.ts';
import type { SharedLink } from '../../../contract/answers.ts';
import { account } from '../client/api.ts';
import { useAccount } from '../client/session.ts';
import { useListOf } from '../useData.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Loaded, More } from '../ui/states.tsx';
import { ListTable } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';

interface SharedPart {
  shared: SharedLink[];
  nextCursor: string | null;
}

/** What a viewer sees: the previews that colleagues shared. */
export function Shared() {
  const { membership } = useAccount();
  const organizationId = membership?.organizationId;
  const shared = useListOf(`shared ${organizationId}`, async (cursor) => {
    const { shared: items, nextCursor } = await account<SharedPart>(path`/shared`, {
      query: { organizationId, cursor },
    });
    return { items, cursor: nextCursor };
  });
  return (
    <Page title="Shared with you">
      <section class="card" aria-label="Shared with you">
        <Loaded of={shared}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon="shared" title="Nothing is shared with you yet">
                You are a viewer of {membership?.name}. When a colleague shares previews, they stand
                here. To make pages yourself, ask an admin for the role of a member.
              </Empty>
            ) : (
              <ListTable columns={['Pages', 'Site', 'Shared by', 'Until']}>
                {list.map((link) => (
                  <Row key={link.shareId} link={link} />
                ))}
              </ListTable>
            )
          }
        </Loaded>
        <More more={shared.more} />
      </section>
    </Page>
  );
}

const Row = ({ link: { shareId, title, site, sharedBy, expiresAt } }: { link: SharedLink }) => (
  <tr>
    <td class="main">
      <a class="title" href={path`/shared/${shareId}`.toString()}>
        {title ?? 'Pages'}
      </a>
    </td>
    <td>{site}</td>
    <td class="muted">{sharedBy ?? 'A program'}</td>
    <td class="muted">
      <Time at={expiresAt} />
    </td>
  </tr>
);
