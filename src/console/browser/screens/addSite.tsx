import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import { useIsAtLeast } from '../client/session.ts';
import type { OneSite } from '../../../contract/answers.ts';
import { navigate } from '../router.ts';
import { CardForm } from '../ui/card.tsx';
import { Button, ButtonLink, TextField } from '../ui/controls.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyCard } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { repositoryName } from '../repositoryName.ts';
import {
  noRepository,
  RepositoryAnswers,
  RepositoryForm,
  useRepository,
} from './repositoryForm.tsx';
import { WebhookHelp } from './webhook.tsx';

export const AddSite = () => (
  <Page title="Add site" crumbs={[['/sites', 'Sites']]}>
    {useIsAtLeast('admin') ? (
      <AddSiteForm />
    ) : (
      <EmptyCard
        icon="lock"
        title="Admins add sites"
        actions={<ButtonLink href="/sites">Back to the sites</ButtonLink>}
      >
        Ask an admin of your organization to add the repository.
      </EmptyCard>
    )}
  </Page>
);

function AddSiteForm() {
  const [name, setName] = useState('');
  const [added, setAdded] = useState<OneSite>();
  const typed = useRepository(noRepository);
  const isFound = typed.found?.ok === true;
  const { found } = typed;
  const warnings = (found?.warnings.length ?? 0) + (found?.host?.warnings.length ?? 0);
  const suggested = name || repositoryName(typed.fields.url).split('/').at(-1) || '';
  const add = async () => {
    const site = await post<OneSite>(path`/sites`, { name: suggested, ...typed.place });
    toast(`${suggested} is added`);
    if (site.webhookSecret) setAdded(site);
    else navigate(`/sites/${site.siteId}`);
  };
  if (added) return <Added site={added} />;
  return (
    <section class="card" aria-label="The new site">
      <CardForm
        foot={
          isFound
            ? warnings > 0
              ? 'The site can be added. Look at the warnings first.'
              : 'All is well. The site can be added.'
            : typed.found
              ? 'The site can’t be added yet. Mend what is red, and check again.'
              : 'The check changes nothing in the repository.'
        }
        actions={
          <span class="row">
            <Button
              look={isFound ? '' : 'primary'}
              disabled={!typed.isComplete}
              onClick={typed.check}
            >
              Check
            </Button>
            <Button
              look={isFound ? 'primary' : ''}
              disabled={!isFound || !suggested}
              onClick={() => typed.run(add)}
            >
              Add site
            </Button>
          </span>
        }
      >
        <RepositoryForm of={typed} />
        <TextField
          label="Name"
          hint="As your team calls it."
          placeholder={suggested || 'Acme website'}
          value={name}
          onInput={setName}
        />
        <RepositoryAnswers of={typed} />
      </CardForm>
    </section>
  );
}

/** The last step of a site with a host of the team's own. The secret is only shown here. */
const Added = ({ site }: { site: OneSite }) => (
  <section class="card" aria-label="The webhook">
    <CardForm
      foot="Without a webhook all works too, a little later."
      actions={
        <ButtonLink href={`/sites/${site.siteId}`} look="primary">
          Go to the site
        </ButtonLink>
      }
    >
      <h2>{site.name} is added</h2>
      <WebhookHelp host={site.host} secret={site.webhookSecret} />
    </CardForm>
  </section>
);
