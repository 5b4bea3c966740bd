import type { Role } from '../../../contract/roles.ts';
import type { ComponentChild } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isAtLeast, useAccount } from '../client/session.ts';
import { Page } from '../ui/page.tsx';
import { EmptyCard } from '../ui/states.tsx';
import { Assistants } from './settings/assistants.tsx';
import { Audit } from './settings/audit.tsx';
import { CallbackSecret } from './settings/callbackSecret.tsx';
import { Keys } from './settings/keys.tsx';
import { Members } from './settings/members.tsx';
import { Organization } from './settings/organization.tsx';
import { Shares } from './settings/shares.tsx';
import { Usage } from './settings/usage.tsx';
import { You } from './settings/yourSignIn.tsx';

const tabs: { tab: string; text: string; least: Role; show: () => ComponentChild }[] = [
  { tab: 'organization', text: 'Organization', least: 'member', show: () => <Organization /> },
  { tab: 'members', text: 'Members', least: 'member', show: () => <Members /> },
  { tab: 'keys', text: 'API keys', least: 'member', show: () => <Keys /> },
  { tab: 'shared-links', text: 'Shared links', least: 'member', show: () => <Shares /> },
  {
    tab: 'callback-secret',
    text: 'Callback secret',
    least: 'admin',
    show: () => <CallbackSecret />,
  },
  { tab: 'usage', text: 'Usage', least: 'admin', show: () => <Usage /> },
  { tab: 'audit', text: 'Audit', least: 'admin', show: () => <Audit /> },
  { tab: 'assistants', text: 'Assistants', least: 'viewer', show: () => <Assistants /> },
  { tab: 'you', text: 'Your sign-in', least: 'viewer', show: () => <You /> },
];

export function Settings({ tab: asked }: { tab: string }) {
  const { membership } = useAccount();
  const offered = tabs.filter(({ least }) => isAtLeast(membership?.role, least));
  const shown = offered.find(({ tab }) => tab === asked);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [asked]);
  return (
    <Page title="Settings">
      <div class="settings">
        <nav ref={nav} aria-label="Settings">
          <ul>
            {offered.map(({ tab, text }) => (
              <li key={tab}>
                <a href={`/settings/${tab}`} aria-current={tab === asked ? 'page' : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="stack" key={asked}>
          {shown ? (
            shown.show()
          ) : (
            <EmptyCard icon="lock" title="This is for admins">
              Ask an admin of {membership?.name} if you need something of it.
            </EmptyCard>
          )}
        </div>
      </div>
    </Page>
  );
}
