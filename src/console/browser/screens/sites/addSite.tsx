import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { post } from '../../client/api.ts';
import { useIsAtLeast } from '../../client/session.ts';
import type { SiteResponse } from '../../../../contract/responses.ts';
import { navigate } from '../../router.ts';
import { CardForm } from '../../ui/card.tsx';
import { Button, ButtonLink, TextField } from '../../ui/controls.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyCard } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { repositoryName } from '../../words/repositoryName.ts';
import {
  noRepository,
  RepositoryCheckResults,
  RepositoryForm,
  useRepository,
} from './repositoryForm.tsx';
import { WebhookHelp } from './webhook.tsx';

/** The screen that adds a site: the form for its repository, a check, and then its registration. */
export const AddSite = () => (
  <Page title="Add site" crumbs={[['/sites', 'Sites']]}>
    {useIsAtLeast('admin') ? (
      <AddSiteForm />
    ) : (
      <EmptyCard
        icon="lock"
        title="Only admins can add sites"
        actions={<ButtonLink href="/sites">Back to the sites</ButtonLink>}
      >
        Ask an admin of your organization to add the repository.
      </EmptyCard>
    )}
  </Page>
);

function AddSiteForm() {
  const [name, setName] = useState('');
  const [addedSite, setAdded] = useState<SiteResponse>();
  const typedRepository = useRepository(noRepository);
  const isFound = typedRepository.found?.ok === true;
  const { found } = typedRepository;
  const warnings = (found?.warnings.length ?? 0) + (found?.host?.warnings.length ?? 0);
  const suggested = name || repositoryName(typedRepository.fields.url).split('/').at(-1) || '';
  const addTypedSite = async () => {
    const site = await post<SiteResponse>(hostPath`/sites`, {
      name: suggested,
      ...typedRepository.place,
    });
    toast(`${suggested} was added`);
    if (site.webhookSecret) setAdded(site);
    else navigate(`/sites/${site.siteId}`);
  };
  if (addedSite) return <AddedSite site={addedSite} />;
  return (
    <section class="card" aria-label="The new site">
      <CardForm
        foot={
          isFound
            ? warnings > 0
              ? 'You can add the site. Read the warnings first.'
              : 'The check found no problems. You can add the site.'
            : typedRepository.found
              ? 'You can’t add the site yet. Fix the problems marked in red, then check again.'
              : 'The check changes nothing in the repository.'
        }
        actions={
          <span class="row">
            <Button
              look={isFound ? '' : 'primary'}
              disabled={!typedRepository.isComplete}
              onClick={typedRepository.check}
            >
              Check
            </Button>
            <Button
              look={isFound ? 'primary' : ''}
              disabled={!isFound || !suggested}
              onClick={() => typedRepository.run(addTypedSite)}
            >
              Add site
            </Button>
          </span>
        }
      >
        <RepositoryForm of={typedRepository} />
        <TextField
          label="Name"
          hint="The name that your team uses for the site."
          placeholder={suggested || 'Acme website'}
          value={name}
          onInput={setName}
        />
        <RepositoryCheckResults of={typedRepository} />
      </CardForm>
    </section>
  );
}

/** The last step for a site with an external host: its webhook, whose secret is only shown here. */
const AddedSite = ({ site }: { site: SiteResponse }) => (
  <section class="card" aria-label="The webhook">
    <CardForm
      foot="Everything also works without a webhook, with a short delay."
      actions={
        <ButtonLink href={`/sites/${site.siteId}`} look="primary">
          Go to the site
        </ButtonLink>
      }
    >
      <h2>{site.name} was added</h2>
      <WebhookHelp host={site.host} secret={site.webhookSecret} />
    </CardForm>
  </section>
);
