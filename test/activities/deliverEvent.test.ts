import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { createDeliverEvent } from '../../activities/deliverEvent.ts';
import { createCallbackSender } from '../../src/callbacks/callbackSender.ts';
import type { EndpointKind, EventBody } from '../../src/contract/events.ts';
import { createLogger } from '../../src/log.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { testDatabase } from '../helpers/database.ts';
import { eventStores } from '../helpers/events.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';

const HOUR = 3_600_000;
const event: EventBody = {
  type: 'task.question',
  timestamp: '2026-11-21T07:00:24.120Z',
  data: {
    taskId: 'bg-1',
    siteId: '2ccccd9d-5b1e-4b77-8593-be03be951734',
    title: 'Prices <!channel> *bold*',
    url: 'https://tasks.example/tasks/bg-1',
    questionId: 'q1',
    question: '[click](https://evil.example) or\nnot?',
  },
};
const body = JSON.stringify(event);

describe('deliverEvent', function () {
  this.timeout(60_000);
  let receiver: HttpReceiver;
  let time = Date.now();
  let organizationId: string;
  let stores: ReturnType<typeof eventStores>;
  const sender = createCallbackSender({ allowPrivate: true, ownHosts: [] });
  const signal = new AbortController().signal;
  before(async () => {
    const db = await testDatabase();
    stores = eventStores(db, () => time);
    ({ organizationId } = await createOrganizations(db).create({ name: 'Deliveries' }));
    receiver = await startHttpReceiver((path) => (path.startsWith('/fails') ? 503 : 204));
  });
  after(async () => {
    sender.close();
    await receiver?.close();
  });

  const deliver = (deliveryId: string, isLast = false, letters = stores.eventMails) =>
    createDeliverEvent({
      ...stores,
      eventMails: letters,
      callbacks: sender,
      log: createLogger('silent'),
    })({ deliveryId, isLast }, signal);
  async function prepare(path: string, kind: EndpointKind = 'webhook') {
    const by = { organizationId, address: '127.0.0.1' };
    const url = receiver.url(path);
    const settings = { kind, url, description: path, eventTypes: ['task.question' as const] };
    const created = await stores.webhookEndpoints.create(by, settings);
    const { eventLog, eventDeliveries } = stores;
    await eventLog.record(organizationId, { eventId: `e${path}`, type: event.type }, body);
    const { endpointId, secret } = created;
    const listed = async () =>
      (await eventDeliveries.list(organizationId, endpointId, { limit: 1 })).deliveries[0]!;
    const { deliveryId } = await listed();
    return { by, endpointId, secret, listed, deliveryId };
  }

  it('sends the stored bytes, signed, and repeats nothing once they are acknowledged', async () => {
    const { secret, listed, deliveryId } = await prepare('/signed');
    expect(await deliver(deliveryId)).to.equal('over');
    const [received] = receiver.received('/signed');
    expect(received!.body).to.equal(body);
    expect(received!.headers['webhook-id']).to.equal('e/signed');
    const verified = new Webhook(secret!).verify(
      received!.body,
      received!.headers as Record<string, string>,
    );
    expect(verified).to.deep.equal(event);
    expect(await listed()).to.deep.include({
      state: 'delivered',
      attempts: 1,
      responseStatus: 204,
    });
    expect(await deliver(deliveryId)).to.equal('over');
    expect(receiver.received('/signed')).to.have.length(1);
  });

  it('posts a readable message to Slack and to Teams, without markup of customers', async () => {
    const slack = await prepare('/slack', 'slack');
    await deliver(slack.deliveryId);
    const [toSlack] = receiver.received('/slack');
    expect(toSlack!.headers).not.to.have.property('webhook-signature');
    const message = JSON.parse(toSlack!.body) as {
      text: string;
      blocks: { elements?: object[] }[];
    };
    expect(message.text).to.match(/^A task asks a question: Prices !channel bold$/);
    expect(toSlack!.body).not.to.include('<!');
    expect(message.blocks[1]!.elements![0]).to.deep.include({ url: event.data.url });
    const teams = await prepare('/teams', 'teams');
    await deliver(teams.deliveryId);
    const card = JSON.parse(receiver.received('/teams')[0]!.body) as {
      attachments: { contentType: string; content: { actions: object[] } }[];
    };
    const [attachment] = card.attachments;
    expect(attachment!.contentType).to.equal('application/vnd.microsoft.card.adaptive');
    expect(attachment!.content.actions[0]).to.deep.include({ url: event.data.url });
  });

  it('logs failures, gives up, and then disables the endpoint and mails its owners once', async () => {
    const { endpointId, listed, deliveryId } = await prepare('/fails');
    expect(await deliver(deliveryId)).to.equal('failed');
    expect(await listed()).to.deep.include({ state: 'pending', attempts: 1, responseStatus: 503 });
    time += 6 * 24 * HOUR;
    const mailed: string[] = [];
    const letters = {
      ...stores.eventMails,
      mailOwners: async (endpoint: { endpointId: string }) => mailed.push(endpoint.endpointId) > 1,
    };
    expect(await deliver(deliveryId, true, letters)).to.equal('failed');
    expect(await listed()).to.deep.include({ state: 'failed', attempts: 2 });
    const { enabled } = await stores.webhookEndpoints.find(organizationId, endpointId);
    expect(enabled).to.equal(false);
    // the mail server did not accept the letter, so a repetition sends it
    await deliver(deliveryId, true, letters);
    await deliver(deliveryId, true, letters);
    expect(mailed).to.deep.equal([endpointId, endpointId]);
  });

  it('sends nothing to a disabled endpoint', async () => {
    const { by, endpointId, listed, deliveryId } = await prepare('/disabled');
    await stores.webhookEndpoints.change(by, endpointId, { enabled: false });
    expect(await deliver(deliveryId)).to.equal('over');
    expect(await listed()).to.deep.include({ state: 'failed', responseStatus: null });
    expect(receiver.received('/disabled')).to.deep.equal([]);
  });
});
