import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { api } from '../../client/api.ts';
import type { SiteResponse, SiteSummary } from '../../../../contract/responses.ts';
import { forgetData } from '../../useData.ts';
import { navigate } from '../../router.ts';
import { CardForm } from '../../ui/card.tsx';
import {
  Button,
  CodeBlock,
  type SelectChoice,
  SelectField,
  TextField,
} from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { useFields } from '../../ui/form.ts';

import { Notice } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { LOCAL_REPOSITORY_URL } from '../../words/repositoryName.ts';
import {
  noRepository,
  RepositoryCheckResults,
  RepositoryForm,
  useRepository,
} from './repositoryForm.tsx';
import { WebhookCard } from './webhook.tsx';

/** The settings of a site that admins can change. */
export function SiteSettingsCards({ site, reload }: { site: SiteResponse; reload: () => void }) {
  const [madeSecret, setMadeSecret] = useState<string>();
  return (
    <div class="stack">
      <NameCard site={site} reload={reload} />
      {site.repository?.url === LOCAL_REPOSITORY_URL ? (
        <Notice icon="branch">
          The repository is on the server itself. Only the operator of the service can change this.
        </Notice>
      ) : (
        <RepositoryCard site={site} reload={reload} tellSecret={setMadeSecret} />
      )}
      <ApprovalCard site={site} reload={reload} />
      {site.host.type === 'own' && (
        <WebhookCard site={site} made={madeSecret} setMade={setMadeSecret} />
      )}
      <RemoveCard site={site} />
    </div>
  );
}

const patchSite = (site: SiteSummary, changes: object) =>
  api<SiteResponse>(hostPath`/sites/${site.siteId}`, { method: 'PATCH', body: changes });

function NameCard({ site, reload }: { site: SiteResponse; reload: () => void }) {
  const [fields, bind] = useFields({
    name: site.name,
    author: site.author.name,
    email: site.author.email,
  });
  const saveFields = async () => {
    const { name, author, email } = fields;
    const isSigned = author.trim() && email.trim();
    await patchSite(site, { name, ...(isSigned && { author: { name: author, email } }) });
    reload();
    toast('Saved');
  };
  return (
    <section class="card" aria-label="Name and author">
      <CardForm
        foot="The repository’s history shows this author."
        actions={
          <Button look="primary" disabled={!fields.name.trim()} onClick={saveFields}>
            Save
          </Button>
        }
      >
        <TextField label="Name" {...bind('name')} />
        <div class="panes">
          <TextField label="Author of the commits" {...bind('author')} />
          <TextField label="Author’s e-mail" type="email" {...bind('email')} />
        </div>
      </CardForm>
    </section>
  );
}

const approvalChoices: SelectChoice<SiteResponse['publishApproval']>[] = [
  ['none', 'Any member can publish'],
  ['another-person', 'Another person must approve the pages first'],
];

/** The choice whether publishing needs the approval of another person. */
function ApprovalCard({ site, reload }: { site: SiteResponse; reload: () => void }) {
  const [publishApproval, setPublishApproval] = useState(site.publishApproval);
  const saveChoice = async () => {
    await patchSite(site, { publishApproval });
    forgetData();
    reload();
    toast('Saved');
  };
  return (
    <section class="card" aria-label="Publishing">
      <CardForm
        foot="Somebody who created or last edited pages can’t approve them. Each edit needs a new approval."
        actions={
          <Button
            look="primary"
            disabled={publishApproval === site.publishApproval}
            onClick={saveChoice}
          >
            Save
          </Button>
        }
      >
        <SelectField
          label="Publishing"
          value={publishApproval}
          choices={approvalChoices}
          onChange={setPublishApproval}
        />
      </CardForm>
    </section>
  );
}

interface RepositoryCardProps {
  site: SiteResponse;
  reload: () => void;
  /** Called with the new secret of the site's webhook; undefined if saving made none. */
  tellSecret: (secret: string | undefined) => void;
}

function RepositoryCard({ site, reload, tellSecret }: RepositoryCardProps) {
  const { repository: savedRepository, host } = site;
  const hasKept = savedRepository !== null && savedRepository.access !== 'open';
  const typedRepository = useRepository(
    {
      ...noRepository,
      ...(savedRepository && {
        url: savedRepository.url,
        branch: savedRepository.branch,
        root: savedRepository.root,
      }),
      ...(hasKept && { access: 'kept' }),
    },
    site,
  );
  const { fields, isComplete, place, run } = typedRepository;
  const saveRepository = async () => {
    const { webhookSecret } = await patchSite(site, place);
    tellSecret(webhookSecret);
    reload();
    toast('Saved');
  };
  return (
    <section class="card" aria-label="Repository">
      <CardForm
        foot="Running tasks continue with the settings that they started with."
        actions={
          <span class="row">
            <Button disabled={!isComplete} onClick={typedRepository.check}>
              Check
            </Button>
            <Button look="primary" disabled={!isComplete} onClick={() => run(saveRepository)}>
              Save
            </Button>
          </span>
        }
      >
        <RepositoryForm of={typedRepository} hasKept={hasKept} saved={host} />
        {fields.access === 'kept' && savedRepository?.publicKey && (
          <CodeBlock label="Public key" text={savedRepository.publicKey} />
        )}
        <RepositoryCheckResults of={typedRepository} />
      </CardForm>
    </section>
  );
}

function RemoveCard({ site }: { site: SiteResponse }) {
  const isExternallyHosted = site.host.type === 'own';
  const askToRemove = () =>
    askToConfirm({
      title: `Remove ${site.name}?`,
      text: isExternallyHosted
        ? 'Nobody can work on the site here any more. Your host continues to serve it. The repository does not change.'
        : 'The service no longer serves its live pages and previews. The repository does not change.',
      submit: 'Remove site',
      async onSubmit() {
        await api(hostPath`/sites/${site.siteId}`, { method: 'DELETE' });
        forgetData();
        toast(`${site.name} was removed`);
        navigate('/sites');
      },
    });
  return (
    <section class="card" aria-label="Remove the site">
      <div class="card-body row spread">
        <div>
          <h2>Remove the site</h2>
          <p class="muted">
            {isExternallyHosted
              ? 'Your host continues to serve the site.'
              : 'The service stops serving its live pages and previews.'}{' '}
            The repository does not change.
          </p>
        </div>
        <Button look="danger" onClick={askToRemove}>
          Remove site
        </Button>
      </div>
    </section>
  );
}
