import { hostPath } from '../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { callAccount } from './client/api.ts';
import { chooseOrganization, loadAccount, signOut, useAccount } from './client/session.ts';
import { forgetData } from './useData.ts';
import { navigate } from './router.ts';
import { Dialog } from './ui/dialog.tsx';
import { TextField } from './ui/controls.tsx';
import { Icon } from './ui/icons.tsx';
import { Menu } from './ui/menu.tsx';
import { toast } from './ui/toasts.tsx';
import { postRequest, errorText } from '../../browser/sendRequest.ts';

const initialLetter = (name: string) => [...name.trim()][0]?.toUpperCase() ?? '?';

/** Shows the current organization, and lets the person switch to another one or create one. */
export function OrganizationMenu() {
  const { organizations, membership } = useAccount();
  const [isMaking, setMaking] = useState(false);
  const switchOrganization = (organizationId: string) => {
    forgetData();
    chooseOrganization(organizationId);
    navigate('/');
  };
  const name = membership?.name ?? 'No organization';
  return (
    <>
      <Menu
        class="switcher"
        label={`Organization: ${name}`}
        button={
          <>
            <span class="tile" data-initial={initialLetter(name)} />
            <span class="name">{name}</span>
            <Icon name="chevrons" size={15} />
          </>
        }
      >
        <div class="label">Organizations</div>
        {organizations.map(({ organizationId, name, role }) => (
          <button
            key={organizationId}
            type="button"
            aria-current={organizationId === membership?.organizationId}
            onClick={() => switchOrganization(organizationId)}
          >
            <span class="tile" data-initial={initialLetter(name)} />
            <span>
              {name}
              <span class="muted small"> · {role}</span>
            </span>
            {organizationId === membership?.organizationId && <Icon name="check" size={15} />}
          </button>
        ))}
        <hr />
        <button type="button" onClick={() => setMaking(true)}>
          <Icon name="plus" size={15} /> New organization
        </button>
      </Menu>
      {isMaking && <NewOrganization close={() => setMaking(false)} choose={switchOrganization} />}
    </>
  );
}

interface NewOrganizationProps {
  close: () => void;
  choose: (organizationId: string) => void;
}

function NewOrganization({ close, choose }: NewOrganizationProps) {
  const [name, setName] = useState('');
  const createOrganization = async () => {
    const { organizationId } = await callAccount<{ organizationId: string }>(
      hostPath`/organizations`,
      postRequest({ name }),
    );
    await loadAccount();
    close();
    choose(organizationId);
    toast(`${name} was created`);
  };
  return (
    <Dialog
      title="New organization"
      submit="Create organization"
      onClose={close}
      onSubmit={createOrganization}
      disabled={!name.trim()}
    >
      <TextField
        label="Name"
        value={name}
        onInput={setName}
        autoFocus
        autoComplete="organization"
      />
    </Dialog>
  );
}

/** The signed-in person's menu: sign-in settings, API reference and sign-out. */
export function PersonMenu() {
  const { user } = useAccount();
  const signOutNow = () =>
    void signOut()
      .then(() => navigate('/sign-in'))
      .catch((error: unknown) => toast(errorText(error), 'bad'));
  return (
    <Menu
      class="switcher person"
      side="up"
      label={`You: ${user.name || user.email}`}
      button={
        <>
          <span class="tile round" data-initial={initialLetter(user.name || user.email)} />
          <span class="name">{user.name || user.email}</span>
        </>
      }
    >
      <div class="label">{user.email}</div>
      <a href="/settings/you">
        <Icon name="people" size={15} /> Your sign-in
      </a>
      <a href="/docs" target="_blank" rel="noopener noreferrer">
        <Icon name="book" size={15} /> API reference
      </a>
      <hr />
      <button type="button" onClick={signOutNow}>
        <Icon name="exit" size={15} /> Sign out
      </button>
    </Menu>
  );
}
