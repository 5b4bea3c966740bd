import { hostPath } from '../../../../browser/hostPath.ts';
import { creatorName } from '../../words/taskWords.ts';
import type { AuditEntryResponse } from '../../../../contract/responses.ts';
import { useList } from '../../useData.ts';
import { Empty } from '../../ui/states.tsx';
import { Card } from '../../ui/card.tsx';
import { ListedTable, MainCell, TimeCell } from '../../ui/table.tsx';

/** Words for actions, by the names that the API gives them. */
const actionWords: Record<string, string> = {
  'session.begin': 'Signed in',
  'organization.rename': 'Organization renamed',
  'organization.limit': 'Token limit changed',
  'member.join': 'Member joined',
  'member.update': 'Role changed',
  'member.remove': 'Member removed',
  'invitation.create': 'Invitation created',
  'invitation.delete': 'Invitation revoked',
  'key.create': 'API key created',
  'key.rotate': 'API key rotated',
  'key.revoke': 'API key revoked',
  'assistant.connect': 'Assistant connected',
  'assistant.disconnect': 'Assistant disconnected',
  'callback-secret.rotate': 'Callback secret replaced',
  'webhook-endpoint.create': 'Webhook endpoint created',
  'webhook-endpoint.update': 'Webhook endpoint changed',
  'webhook-endpoint.rotate': 'Webhook secret replaced',
  'webhook-endpoint.delete': 'Webhook endpoint deleted',
  'webhook-endpoint.redeliver': 'Event sent again',
  'deploy-key.create': 'Deploy key created',
  'site.create': 'Site added',
  'site.update': 'Site changed',
  'site.delete': 'Site removed',
  'publish.approve': 'Pages approved',
  'review.complete': 'Review completed',
  'edit-link.create': 'Editing link created',
  'share.create': 'Share link created',
  'share.revoke': 'Share link revoked',
};

/** Lists who did what, when, and from where. */
export function AuditCard() {
  const auditEntries = useList<AuditEntryResponse>(hostPath`/audit`, 'entries', { limit: 50 });
  return (
    <Card
      title="Audit log"
      lead="What people and programs did in this organization, with the latest first."
    >
      <ListedTable
        of={auditEntries}
        lines={6}
        empty={
          <Empty icon="clock" title="Nothing yet">
            The log lists sign-ins, and each change to keys, members, sites and secrets.
          </Empty>
        }
        columns={['What', 'Who', 'IP address', 'When']}
        row={({ at, person, key, action, subject, address }, index) => (
          <tr key={`${at} ${index}`}>
            <MainCell title={<span title={action}>{actionWords[action] ?? action}</span>}>
              {subject}
            </MainCell>
            <td>{creatorName(person) || (key ? `Key ${creatorName(key)}` : 'The service')}</td>
            <td class="muted mono wrap">{address ?? '—'}</td>
            <TimeCell at={at} />
          </tr>
        )}
      />
    </Card>
  );
}
