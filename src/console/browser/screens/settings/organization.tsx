import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import type { Organization } from '../../../../contract/membership.ts';
import { api } from '../../client/api.ts';
import { loadAccount, useAccount, useIsAtLeast } from '../../client/session.ts';
import { useData } from '../../useData.ts';
import { Button, CopyLine, TextField } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

import { toast } from '../../ui/toasts.tsx';
import { Card, CardForm } from '../../ui/card.tsx';
import { LeaveCard } from './leave.tsx';

/** Shows the organization's name and id. Owners can change the name. */
export function OrganizationCard() {
  const { membership } = useAccount();
  const loadedOrganization = useData<Organization>(
    `organization ${membership?.organizationId}`,
    () => api(hostPath`/organization`),
  );
  return (
    <>
      <Card title="Organization">
        <Loaded of={loadedOrganization}>
          {(organization) => <OrganizationForm organization={organization} />}
        </Loaded>
      </Card>
      <LeaveCard />
    </>
  );
}

function OrganizationForm({ organization }: { organization: Organization }) {
  const mayRename = useIsAtLeast('owner');
  const [name, setName] = useState(organization.name);
  const saveName = async () => {
    await api(hostPath`/organization`, { method: 'PATCH', body: { name } });
    await loadAccount();
    toast('Saved');
  };
  return (
    <CardForm
      foot={
        <>
          Created <Time at={organization.createdAt} />
        </>
      }
      actions={
        mayRename && (
          <Button
            look="primary"
            disabled={!name.trim() || name === organization.name}
            onClick={saveName}
          >
            Save
          </Button>
        )
      }
    >
      <TextField
        label="Name"
        value={name}
        onInput={setName}
        readOnly={!mayRename}
        hint={mayRename ? undefined : 'Only owners can change the name.'}
      />
      <div class="field">
        <span class="legend">ID</span>
        <CopyLine value={organization.organizationId} />
      </div>
    </CardForm>
  );
}
