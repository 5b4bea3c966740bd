import { path } from '../../../../browser/path.ts';
import { makerOf } from '../../liveAddress.ts';
import type { AuditEntry } from '../../../../contract/answers.ts';
import { useList } from '../../useData.ts';
import { Empty, Loaded, More } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Card } from './card.tsx';
import { ListTable } from '../../ui/table.tsx';

/** Actions as the API names them. */
const words: Record<string, string> = {
  'session.begin': 'Signed in',
  'organization.rename': 'Organization renamed',
  'member.join': 'Member joined',
  'member.update': 'Role changed',
  'member.remove': 'Member removed',
  'invitation.create': 'Invitation made',
  'invitation.delete': 'Invitation taken back',
  'key.create': 'API key made',
  'key.rotate': 'API key rotated',
  'key.revoke': 'API key revoked',
  'callback-secret.rotate': 'Callback secret replaced',
  'deploy-key.create': 'Deploy key made',
  'site.create': 'Site added',
  'site.update': 'Site changed',
  'site.delete': 'Site removed',
  'share.create': 'Share link made',
  'share.revoke': 'Share link ended',
};

/** Who did what, when, and from where. */
export function Audit() {
  const audit = useList<AuditEntry>(path`/audit`, 'entries', { limit: 50 });
  return (
    <Card title="Audit" lead="What was done in this organization, the latest first.">
      <Loaded of={audit} lines={6}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty icon="clock" title="Nothing yet">
              Sign-ins, keys, members, sites and secrets: each change stands here.
            </Empty>
          ) : (
            <ListTable columns={['What', 'Who', 'From', 'When']}>
              {entries.map(({ at, person, key, action, subject, address }, index) => (
                <tr key={`${at} ${index}`}>
                  <td class="main">
                    <span class="title" title={action}>
                      {words[action] ?? action}
                    </span>
                    {subject && <span class="under">{subject}</span>}
                  </td>
                  <td>{makerOf(person) || (key ? `Key ${makerOf(key)}` : 'The service')}</td>
                  <td class="muted mono wrap">{address ?? '—'}</td>
                  <td class="muted">
                    <Time at={at} />
                  </td>
                </tr>
              ))}
            </ListTable>
          )
        }
      </Loaded>
      <More more={audit.more} />
    </Card>
  );
}
