import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import { wordsOf } from '../../../browser/http.ts';
import { isAtLeast, useAccount } from '../client/session.ts';
import type { DeployKey, Site } from '../../../contract/answers.ts';
import { navigate } from '../router.ts';
import { Button, ButtonLink, TextField } from '../ui/controls.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Problem } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { repositoryName } from '../repositoryName.ts';
import {
  CheckAnswers,
  isComplete,
  noRepository,
  repositoryOf,
  RepositoryForm,
  useCheck,
} from './repositoryForm.tsx';

export function AddSite() {
  const { membership } = useAccount();
  if (!isAtLeast(membership?.role, 'admin'))
    return (
      <Page title="Add site" crumbs={[['/sites', 'Sites']]}>
        <div class="card">
          <Empty
            icon="lock"
            title="Admins add sites"
            actions={<ButtonLink href="/sites">Back to the sites</ButtonLink>}
          >
            Ask an admin of your organization to add the repository.
          </Empty>
        </div>
      </Page>
    );
  return (
    <Page title="Add site" crumbs={[['/sites', 'Sites']]}>
      <AddSiteForm />
    </Page>
  );
}

function AddSiteForm() {
  const [name, setName] = useState('');
  const [fields, setFields] = useState(noRepository);
  const [deployKey, setDeployKey] = useState<DeployKey>();
  const [error, setError] = useState<unknown>();
  const check = useCheck();
  const repository = repositoryOf(fields, deployKey);
  const found = check.of(repository);
  const suggested = name || repositoryName(fields.url).split('/').at(-1) || '';
  const run = (work: () => Promise<unknown>) => async () => {
    setError(undefined);
    await work().catch((failed: unknown) => setError(failed));
  };
  const add = async () => {
    const site = await post<Site>(path`/sites`, { name: suggested, repository });
    toast(`${suggested} is added`);
    navigate(`/sites/${site.siteId}`);
  };
  const ready = isComplete(fields, deployKey);
  return (
    <section class="card" aria-label="The new site">
      <div class="card-body stack">
        <RepositoryForm
          fields={fields}
          onChange={setFields}
          deployKey={deployKey}
          onDeployKey={setDeployKey}
        />
        <TextField
          label="Name"
          hint="As your team calls it."
          placeholder={suggested || 'Acme website'}
          value={name}
          onInput={setName}
        />
        {found && <CheckAnswers check={found} />}
        {error !== undefined && <Problem>{wordsOf(error)}</Problem>}
      </div>
      <div class="card-foot">
        <span>
          {found?.ok
            ? 'All is well. The site can be added.'
            : 'The check changes nothing in the repository.'}
        </span>
        <span class="row">
          <Button
            look={found?.ok ? '' : 'primary'}
            disabled={!ready}
            onClick={run(() => check.run(repository))}
          >
            Check
          </Button>
          <Button
            look={found?.ok ? 'primary' : ''}
            disabled={!found?.ok || !suggested}
            onClick={run(add)}
          >
            Add site
          </Button>
        </span>
      </div>
    </section>
  );
}
