import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import type { OneSite, Site } from '../../../contract/answers.ts';
import { forgetData } from '../useData.ts';
import { navigate } from '../router.ts';
import { CardForm } from '../ui/card.tsx';
import { Button, CodeBlock, TextField } from '../ui/controls.tsx';
import { confirm } from '../ui/dialog.tsx';
import { useFields } from '../ui/form.ts';

import { Notice } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { LOCAL } from '../repositoryName.ts';
import {
  noRepository,
  RepositoryAnswers,
  RepositoryForm,
  useRepository,
} from './repositoryForm.tsx';
import { WebhookCard } from './webhook.tsx';

/** The settings of a site that admins can change. */
export function SiteSettings({ site, reload }: { site: OneSite; reload: () => void }) {
  const [madeSecret, setMadeSecret] = useState<string>();
  return (
    <div class="stack">
      <NameCard site={site} reload={reload} />
      {site.repository?.url === LOCAL ? (
        <Notice icon="branch">
          The repository is on the server itself. Only who runs the service can change that.
        </Notice>
      ) : (
        <RepositoryCard site={site} reload={reload} tellSecret={setMadeSecret} />
      )}
      {site.host.type === 'own' && (
        <WebhookCard site={site} made={madeSecret} setMade={setMadeSecret} />
      )}
      <RemoveCard site={site} />
    </div>
  );
}

const patch = (site: Site, body: object) =>
  api<OneSite>(path`/sites/${site.siteId}`, { method: 'PATCH', body });

function NameCard({ site, reload }: { site: OneSite; reload: () => void }) {
  const [fields, bind] = useFields({
    name: site.name,
    author: site.author.name,
    email: site.author.email,
  });
  const save = async () => {
    const { name, author, email } = fields;
    const isSigned = author.trim() && email.trim();
    await patch(site, { name, ...(isSigned && { author: { name: author, email } }) });
    reload();
    toast('Saved');
  };
  return (
    <section class="card" aria-label="Name and author">
      <CardForm
        foot="The author stands in the repository’s history."
        actions={
          <Button look="primary" disabled={!fields.name.trim()} onClick={save}>
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

interface RepositoryCardProps {
  site: OneSite;
  reload: () => void;
  /** Called with the secret of the site's webhook if saving made one. */
  tellSecret: (secret: string | undefined) => void;
}

function RepositoryCard({ site, reload, tellSecret }: RepositoryCardProps) {
  const { repository: saved, host } = site;
  const hasKept = saved !== null && saved.access !== 'open';
  const typed = useRepository(
    {
      ...noRepository,
      ...(saved && { url: saved.url, branch: saved.branch, root: saved.root }),
      ...(hasKept && { access: 'kept' }),
    },
    site,
  );
  const { fields, isComplete, place, run } = typed;
  const save = async () => {
    const { webhookSecret } = await patch(site, place);
    tellSecret(webhookSecret);
    reload();
    toast('Saved');
  };
  return (
    <section class="card" aria-label="Repository">
      <CardForm
        foot="Tasks that run go on with what they began with."
        actions={
          <span class="row">
            <Button disabled={!isComplete} onClick={typed.check}>
              Check
            </Button>
            <Button look="primary" disabled={!isComplete} onClick={() => run(save)}>
              Save
            </Button>
          </span>
        }
      >
        <RepositoryForm of={typed} hasKept={hasKept} saved={host} />
        {fields.access === 'kept' && saved?.publicKey && (
          <CodeBlock label="Public key" text={saved.publicKey} />
        )}
        <RepositoryAnswers of={typed} />
      </CardForm>
    </section>
  );
}

function RemoveCard({ site }: { site: OneSite }) {
  const isOwn = site.host.type === 'own';
  const remove = () =>
    confirm({
      title: `Remove ${site.name}?`,
      text: isOwn
        ? 'Nobody can work on it here any more. Your host goes on serving it. The repository stays as it is.'
        : 'Its live pages and previews stop answering here. The repository stays as it is.',
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
          <p class="muted">
            {isOwn ? 'Your host goes on serving it.' : 'Live pages and previews end.'} The
            repository is not touched.
          </p>
        </div>
        <Button look="danger" onClick={remove}>
          Remove site
        </Button>
      </div>
    </section>
  );
}
