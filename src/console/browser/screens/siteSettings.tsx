import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import { wordsOf } from '../../../browser/http.ts';
import type { DeployKey, OneSite, Site } from '../../../contract/answers.ts';
import { forgetData } from '../useData.ts';
import { navigate } from '../router.ts';
import { Button, CodeBlock, TextField } from '../ui/controls.tsx';
import { confirm } from '../ui/dialog.tsx';
import { Notice, Problem } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { LOCAL } from '../repositoryName.ts';
import {
  CheckAnswers,
  isComplete,
  noRepository,
  repositoryOf,
  RepositoryForm,
  useCheck,
} from './repositoryForm.tsx';

/** What admins change of a site. */
export const SiteSettings = ({ site, reload }: { site: OneSite; reload: () => void }) => (
  <div class="stack">
    <NameCard site={site} reload={reload} />
    {site.repository?.url === LOCAL ? (
      <Notice icon="branch">
        The repository is on the server itself. Only who runs the service can change that.
      </Notice>
    ) : (
      <RepositoryCard site={site} reload={reload} />
    )}
    <RemoveCard site={site} />
  </div>
);

const patch = (site: Site, body: object) =>
  api(path`/sites/${site.siteId}`, { method: 'PATCH', body });

function NameCard({ site, reload }: { site: OneSite; reload: () => void }) {
  const [name, setName] = useState(site.name);
  const [author, setAuthor] = useState(site.author);
  const save = async () => {
    const isSigned = author.name.trim() && author.email.trim();
    await patch(site, { name, ...(isSigned && { author }) });
    reload();
    toast('Saved');
  };
  return (
    <section class="card" aria-label="Name and author">
      <div class="card-body stack">
        <TextField label="Name" value={name} onInput={setName} />
        <div class="panes">
          <TextField
            label="Author of the commits"
            value={author.name}
            onInput={(value) => setAuthor({ ...author, name: value })}
          />
          <TextField
            label="Author’s e-mail"
            type="email"
            value={author.email}
            onInput={(email) => setAuthor({ ...author, email })}
          />
        </div>
      </div>
      <div class="card-foot">
        <span>The author stands in the repository’s history.</span>
        <Button look="primary" disabled={!name.trim()} onClick={save}>
          Save
        </Button>
      </div>
    </section>
  );
}

function RepositoryCard({ site, reload }: { site: Site; reload: () => void }) {
  const { repository: saved } = site;
  const hasKept = saved?.access === 'token' || saved?.access === 'deploy-key';
  const [fields, setFields] = useState({
    ...noRepository,
    ...(saved && { url: saved.url, branch: saved.branch, root: saved.root }),
    ...(hasKept && { access: 'kept' as const }),
  });
  const [deployKey, setDeployKey] = useState<DeployKey>();
  const [error, setError] = useState<unknown>();
  const check = useCheck();
  const repository = repositoryOf(fields, deployKey);
  const found = check.of(repository);
  const run = (work: () => Promise<unknown>) => async () => {
    setError(undefined);
    await work().catch((failed: unknown) => setError(failed));
  };
  const save = async () => {
    await patch(site, { repository });
    reload();
    toast('Saved');
  };
  return (
    <section class="card" aria-label="Repository">
      <div class="card-body stack">
        <RepositoryForm
          fields={fields}
          onChange={setFields}
          deployKey={deployKey}
          onDeployKey={setDeployKey}
          hasKept={hasKept}
        />
        {fields.access === 'kept' && saved?.publicKey && (
          <CodeBlock label="Public key" text={saved.publicKey} />
        )}
        {found && <CheckAnswers check={found} />}
        {error !== undefined && <Problem>{wordsOf(error)}</Problem>}
      </div>
      <div class="card-foot">
        <span>Tasks that run go on with what they began with.</span>
        <span class="row">
          {fields.access !== 'kept' && (
            <Button
              disabled={!isComplete(fields, deployKey)}
              onClick={run(() => check.run(repository))}
            >
              Check
            </Button>
          )}
          <Button look="primary" disabled={!isComplete(fields, deployKey)} onClick={run(save)}>
            Save
          </Button>
        </span>
      </div>
    </section>
  );
}

function RemoveCard({ site }: { site: Site }) {
  const remove = () =>
    confirm({
      title: `Remove ${site.name}?`,
      text: 'Its live pages and previews stop answering here. The repository stays as it is.',
      submit: 'Remove site',
      async onSubmit() {
        await api(path`/sites/${site.siteId}`, { method: 'DELETE' });
        forgetData();
        toast(`${site.name} is removed`);
        navigate('/sites');
      },
    });
  return (
    <section class="card" aria-label="Remove the site">
      <div class="card-body row spread">
        <div>
          <h2>Remove the site</h2>
          <p class="muted">Live pages and previews end. The repository is not touched.</p>
        </div>
        <Button look="danger" onClick={remove}>
          Remove site
        </Button>
      </div>
    </section>
  );
}
