import { hostPath } from '../../../../browser/hostPath.ts';
import type { SiteResponse, SiteHost } from '../../../../contract/responses.ts';
import { post } from '../../client/api.ts';
import { forgeNames } from '../../externalHost.ts';
import { Card } from '../../ui/card.tsx';
import { Button, CopyLine, Field } from '../../ui/controls.tsx';
import { askToConfirm, Dialog } from '../../ui/dialog.tsx';
import { ShownOnce } from '../settings/shownOnce.tsx';

interface WebhookHelpProps {
  host: SiteHost;
  /** A new secret, which is only shown now. */
  secret?: string | undefined;
}

/** Explains how to set up a webhook, by which the forge reports builds and merges at once. */
export const WebhookHelp = ({ host, secret }: WebhookHelpProps) =>
  host.type === 'embedded' ? null : (
    <>
      <p>
        With a webhook, {forgeNames[host.forge]} reports builds and merges at once. In the settings
        of the repository there, add a webhook {forgeEvents[host.forge]}.
      </p>
      {host.webhookUrl === null ? (
        <p>The webhook has no secret yet. Create one to see the webhook’s URL here.</p>
      ) : (
        <WebhookLine label="URL of the webhook" value={host.webhookUrl} />
      )}
      {secret && <ShownOnce name="secret of the webhook" value={secret} />}
    </>
  );

const WebhookLine = ({ label, value }: { label: string; value: string }) => (
  <Field label={label}>{() => <CopyLine value={value} />}</Field>
);

const giteaEvents =
  'with the content type JSON for these events: push, pull request and commit status';
const forgeEvents = {
  github:
    'with the content type JSON for these events: pushes, pull requests, statuses, deployment statuses and check runs',
  gitea: giteaEvents,
  forgejo: giteaEvents,
  gitlab:
    'for push, merge request, pipeline and deployment events. Enter the secret as its signing token, or as its secret token if your version has no signing tokens',
};

interface WebhookCardProps {
  site: SiteResponse;
  /** The secret that was just created; undefined if there is none to show. */
  made: string | undefined;
  setMade: (secret: string | undefined) => void;
}

/** The webhook of a site with an external host, in the site's settings. */
export function WebhookCard({ site, made: newSecret, setMade: setNewSecret }: WebhookCardProps) {
  const askToRenew = () =>
    askToConfirm({
      title: 'Create a new secret?',
      text: 'The previous secret stops working at once. Give the new secret to the forge.',
      submit: 'Create a new secret',
      isDanger: false,
      async onSubmit() {
        const secretPath = hostPath`/sites/${site.siteId}/webhook-secret`;
        setNewSecret((await post<{ webhookSecret: string }>(secretPath)).webhookSecret);
      },
    });
  return (
    <>
      <Card title="Webhook" actions={<Button onClick={askToRenew}>New secret</Button>}>
        <div class="card-body stack">
          <WebhookHelp host={site.host} />
        </div>
      </Card>
      {newSecret && (
        <Dialog title="The webhook" onClose={() => setNewSecret(undefined)}>
          <WebhookHelp host={site.host} secret={newSecret} />
        </Dialog>
      )}
    </>
  );
}
