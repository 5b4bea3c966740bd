import { account, isMissing } from '../client/api.ts';
import { useAccount } from '../client/session.ts';
import { useData } from '../data.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { timeOr } from '../ui/time.tsx';

interface SharedLink {
  shareId?: string;
  url: string;
  title: string;
  access?: 'view' | 'edit';
  expiresAt?: string | null;
}

/** What a viewer sees: the previews that colleagues shared. */
export function Shared() {
  const { membership } = useAccount();
  const shared = useData<SharedLink[]>(`shared ${membership?.organizationId}`, async () => {
    try {
      return (await account<{ shared: SharedLink[] }>(`/shared?organizationId=${membership?.organizationId}`)).shared;
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  });
  return (
    <Page title="Shared with you">
      <section class="card" aria-label="Shared with you">
        <Loaded of={shared}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon="shared" title="Nothing is shared with you yet">
                You are a viewer of {membership?.name}. When a colleague shares a preview with you, it stands here. To
                make pages yourself, ask an admin for the role of a member.
              </Empty>
            ) : (
              <table class="list linked">
                <thead>
                  <tr>
                    <th>Preview</th>
                    <th>You can</th>
                    <th>Until</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map(({ shareId, url, title, access, expiresAt }) => (
                    <tr key={shareId ?? url}>
                      <td class="main">
                        <a href={url}>{title}</a>
                      </td>
                      <td>{access === 'edit' ? 'Look and edit' : 'Look'}</td>
                      <td class="muted">{timeOr(expiresAt, 'No end')}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Loaded>
      </section>
    </Page>
  );
}
