import { useState } from 'preact/hooks';
import { hostPath } from '../../../../browser/hostPath.ts';
import type { EndpointKind, EventType } from '../../../../contract/eventTypes.ts';
import type { WebhookEndpointCreated } from '../../../../contract/responses.ts';
import { post } from '../../client/api.ts';
import { CheckField, SelectField, TextField } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';

export const kindNames: Record<EndpointKind, string> = {
  webhook: 'Program',
  slack: 'Slack',
  teams: 'Microsoft Teams',
};

const urlHints: Record<EndpointKind, string> = {
  webhook: 'An https URL on the public internet. It gets signed JSON.',
  slack: 'The URL of an incoming webhook of the channel. It is a secret, and not shown again.',
  teams: 'The URL of a Workflows webhook of the channel. It is a secret, and not shown again.',
};

const typeWords: Record<EventType, string> = {
  'task.completed': 'A task is done',
  'task.failed': 'A task has failed',
  'task.question': 'A task asks a question',
  'batch.waiting': 'A batch waits for an approval',
  'batch.completed': 'A batch is over',
  'page.published': 'Pages go live',
  'review.requested': 'A share link was created',
  'review.completed': 'A guest has looked at all pages',
  'pull_request.waiting': 'A pull request waits to be merged',
};

const eventTypes = Object.keys(typeWords) as EventType[];

interface NewEndpointProps {
  close: () => void;
  onMade: (endpoint: WebhookEndpointCreated) => void;
}

/** Creates an endpoint. */
export function MakeEndpoint({ close, onMade }: NewEndpointProps) {
  const [kind, setKind] = useState<EndpointKind>('webhook');
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [selected, setSelected] = useState(eventTypes);
  const createEndpoint = async () =>
    onMade(
      await post<WebhookEndpointCreated>(hostPath`/webhook-endpoints`, {
        kind,
        url: url.trim(),
        description: description.trim(),
        eventTypes: selected,
      }),
    );
  const select = (type: EventType, isSelected: boolean) =>
    setSelected(
      eventTypes.filter((each) => (each === type ? isSelected : selected.includes(each))),
    );
  return (
    <Dialog
      title="New endpoint"
      submit="Create endpoint"
      onClose={close}
      onSubmit={createEndpoint}
      disabled={!url.trim() || !description.trim() || selected.length === 0}
    >
      <SelectField
        label="Who is told"
        value={kind}
        choices={Object.entries(kindNames) as [EndpointKind, string][]}
        onChange={setKind}
      />
      <TextField
        label="URL"
        hint={urlHints[kind]}
        type="url"
        value={url}
        onInput={setUrl}
        autoComplete="off"
      />
      <TextField
        label="Description"
        hint="What is it for?"
        value={description}
        onInput={setDescription}
        autoComplete="off"
      />
      <fieldset class="stack">
        <legend>Events</legend>
        {eventTypes.map((type) => (
          <CheckField
            key={type}
            label={typeWords[type]}
            checked={selected.includes(type)}
            onChange={(isSelected) => select(type, isSelected)}
          />
        ))}
      </fieldset>
    </Dialog>
  );
}
