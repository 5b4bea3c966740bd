import { useState } from 'preact/hooks';
import { hostPath } from '../../../../browser/hostPath.ts';
import { postRequest, errorText } from '../../../../browser/sendRequest.ts';
import type { ConsentRequest } from '../../../../contract/responses.ts';
import type { Membership } from '../../../../contract/membership.ts';
import type { Role } from '../../../../contract/roles.ts';
import { callAccount } from '../../client/api.ts';
import { isAtLeast, useAccount } from '../../client/session.ts';
import { usePlace } from '../../router.ts';
import { Button, ButtonLink, SelectField } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { LoadingBones, EmptyCard, Notice } from '../../ui/states.tsx';
import { useData } from '../../useData.ts';
import { Door, DoorForm } from './door.tsx';

/**
 * Asks a person whether a program, such as Claude, may act for them in one of their organizations.
 * The program opened this screen with an OAuth request in the query. After the decision, the
 * browser goes back to the program.
 */
export function Connect() {
  const query = usePlace().query.toString();
  const { data, error } = useData(`connect ${query}`, () =>
    callAccount<ConsentRequest>(hostPath`/assistants/check`, postRequest({ query })),
  );
  if (error !== undefined && !data)
    return (
      <Door title="This assistant can’t be connected">
        <EmptyCard
          icon="lock"
          title={errorText(error)}
          actions={<ButtonLink href="/">Go to the console</ButtonLink>}
        >
          Nothing was connected. Start again in the program that you want to connect.
        </EmptyCard>
      </Door>
    );
  if (!data) return <LoadingBones />;
  return <ConsentForm of={data} query={query} />;
}

function ConsentForm({
  of: { name, host, publisher },
  query,
}: {
  of: ConsentRequest;
  query: string;
}) {
  const { user, organizations } = useAccount();
  const [organizationId, chooseOrganization] = useState(organizations[0]?.organizationId ?? '');
  const [isDone, setDone] = useState(false);
  const membership = organizations.find(
    (organization) => organization.organizationId === organizationId,
  );
  const sendDecision = async (decision: { organizationId?: string }) => {
    const body = { query, ...decision };
    const { url } = await callAccount<{ url: string }>(hostPath`/assistants`, postRequest(body));
    setDone(true);
    location.assign(url);
  };
  if (isDone)
    return (
      <Door title="Done" lead={`Go back to ${name}. You can close this window.`}>
        <ButtonLink href="/settings/assistants">See your assistants</ButtonLink>
      </Door>
    );
  return (
    <Door title={`Connect ${name}?`} lead={`A program that calls itself ${name} asks for access.`}>
      <div class="card stack">
        <p>
          You are signed in as <strong>{user.email}</strong>.
        </p>
        <OrganizationChoice
          organizations={organizations}
          chosen={organizationId}
          choose={chooseOrganization}
        />
        {membership && <AbilityList membership={membership} />}
        {publisher !== null && (
          <p>
            <strong>{publisher}</strong> describes this program.
          </p>
        )}
        <Notice kind="warn">
          {host === null ? (
            <>It runs on this computer. Allow it only if you started it just now.</>
          ) : (
            <>
              Access goes to <strong>{host}</strong>. Allow it only if you came from there just now.
            </>
          )}
        </Notice>
        <DoorForm
          submit="Allow"
          disabled={!membership}
          onSubmit={() => sendDecision({ organizationId })}
        >
          {null}
        </DoorForm>
        <Button wide onClick={() => sendDecision({})}>
          Refuse
        </Button>
      </div>
    </Door>
  );
}

interface OrganizationChoiceProps {
  organizations: Membership[];
  chosen: string;
  choose: (organizationId: string) => void;
}

function OrganizationChoice({ organizations, chosen, choose }: OrganizationChoiceProps) {
  if (organizations.length === 0)
    return (
      <Notice kind="warn">
        You are not a member of an organization. Somebody must invite you first.
      </Notice>
    );
  if (organizations.length > 1)
    return (
      <SelectField
        label="Organization"
        value={chosen}
        onChange={choose}
        choices={organizations.map(({ organizationId, name, role }) => [
          organizationId,
          `${name} (${role})`,
        ])}
      />
    );
  const [{ name, role }] = organizations as [Membership];
  return (
    <p>
      Organization: <strong>{name}</strong>, where you are {role}.
    </p>
  );
}

const abilities = (role: Role) =>
  isAtLeast(role, 'member')
    ? [
        'read its sites, pages and tasks',
        'create and change pages, which uses its budget',
        'publish pages (it is told to ask you first)',
      ]
    : ['see the pages that are shared with you'];

/** What the assistant can do in an organization with the person's current role. */
function AbilityList({ membership: { name, role } }: { membership: Membership }) {
  return (
    <div class="stack tight">
      <p>
        As {role} of {name}, it can:
      </p>
      <ul class="stack tight">
        {abilities(role).map((ability) => (
          <li key={ability} class="row">
            <Icon name="check" size={15} />
            <span class="grow">{ability}</span>
          </li>
        ))}
      </ul>
      <p class="muted small">
        {isAtLeast(role, 'member') ? 'It can’t' : 'It can change nothing, and can’t'} see keys, or
        change people and settings. You can disconnect it under Settings, Assistants.
      </p>
    </div>
  );
}
