import type { Role } from '../../../../contract/roles.ts';
import type { ComponentChild } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isAtLeast, useAccount } from '../../client/session.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyCard } from '../../ui/states.tsx';
import { AssistantSettings } from './assistants.tsx';
import { AuditCard } from './audit.tsx';
import { CallbackSecretCard } from './callbackSecret.tsx';
import { KeysCard } from './keys.tsx';
import { MembersCard } from './members.tsx';
import { OrganizationCard } from './organization.tsx';
import { SharesCard } from './shares.tsx';
import { UsageCard } from './usage.tsx';
import { WebhooksCard } from './webhooks.tsx';
import { YourSignIn } from './yourSignIn.tsx';

const settingTabs: { tab: string; text: string; least: Role; show: () => ComponentChild }[] = [
  { tab: 'organization', text: 'Organization', least: 'member', show: () => <OrganizationCard /> },
  { tab: 'members', text: 'Members', least: 'member', show: () => <MembersCard /> },
  { tab: 'keys', text: 'API keys', least: 'member', show: () => <KeysCard /> },
  { tab: 'shared-links', text: 'Share links', least: 'member', show: () => <SharesCard /> },
  {
    tab: 'callback-secret',
    text: 'Callback secret',
    least: 'admin',
    show: () => <CallbackSecretCard />,
  },
  { tab: 'webhooks', text: 'Webhooks', least: 'admin', show: () => <WebhooksCard /> },
  { tab: 'usage', text: 'Usage', least: 'admin', show: () => <UsageCard /> },
  { tab: 'audit', text: 'Audit log', least: 'admin', show: () => <AuditCard /> },
  { tab: 'assistants', text: 'Assistants', least: 'viewer', show: () => <AssistantSettings /> },
  { tab: 'you', text: 'Your sign-in', least: 'viewer', show: () => <YourSignIn /> },
];

/** The settings of the organization and of the person, with the tabs that the role allows. */
export function Settings({ tab: requestedTab }: { tab: string }) {
  const { membership } = useAccount();
  const offeredTabs = settingTabs.filter(({ least }) => isAtLeast(membership?.role, least));
  const shownTab = offeredTabs.find(({ tab }) => tab === requestedTab);
  const navRef = useRef<HTMLElement>(null);
  useEffect(() => {
    navRef.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [requestedTab]);
  return (
    <Page title="Settings">
      <div class="settings">
        <nav ref={navRef} aria-label="Settings">
          <ul>
            {offeredTabs.map(({ tab, text }) => (
              <li key={tab}>
                <a
                  href={`/settings/${tab}`}
                  aria-current={tab === requestedTab ? 'page' : undefined}
                >
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="stack" key={requestedTab}>
          {shownTab ? (
            shownTab.show()
          ) : (
            <EmptyCard icon="lock" title="Only admins can see this">
              Ask an admin of {membership?.name} if you need something from these settings.
            </EmptyCard>
          )}
        </div>
      </div>
    </Page>
  );
}
