import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { FinishedView } from '../../src/contract/task.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import type { Pages } from '../../src/sites/pages/pages.ts';
import { createPagesPool } from '../../src/sites/pages/pagesPool.ts';
import { failed, TaskSite } from '../helpers/activities.ts';
import { testDatabase } from '../helpers/database.ts';
import { startHttpReceiver, type HttpReceiver } from '../helpers/httpReceiver.ts';

const finished: FinishedView = {
  status: 'completed',
  output: {
    pagesCreated: [{ slug: '/a', previewUrl: 'http://preview/a', editUrl: null, publishedUrl: null, externalId: '7' }],
    pagesModified: [],
    pagesDeleted: [],
  },
  finishedAt: '2026-03-04T05:07:00.000Z',
};

describe('sendCallback', function () {
  this.timeout(60_000);
  let pages: Pages;
  let site: TaskSite;
  let receiver: HttpReceiver;
  before(async () => {
    site = await TaskSite.create((pages = createPagesPool()));
    receiver = await startHttpReceiver((path) => (path === '/refuses' ? 500 : 204));
  });
  after(async () => {
    await receiver?.close();
    await site?.remove();
    await pages.close();
  });

  it('repeated after the receiver acknowledged, sends the same bytes under the same webhook-id, signed', async () => {
    const argument = { task: site.task(), callbackUrl: receiver.url('/hook'), finished };
    await site.worker().sendCallback(argument);
    await site.worker('elsewhere').sendCallback(argument);
    const [first, second] = await receiver.deliveries('/hook', 2);
    expect(second?.body).to.equal(first?.body);
    expect(JSON.parse(first?.body ?? '')).to.deep.equal({
      taskId: argument.task.taskId,
      status: 'succeeded',
      pages: finished.output.pagesCreated,
      timestamp: finished.finishedAt,
    });
    const secret = await createOrganizations(await testDatabase()).callbackSecret(site.organizationId);
    for (const { headers, body } of [first!, second!]) {
      expect(headers['webhook-id']).to.equal(argument.task.taskId);
      new Webhook(secret).verify(body, headers as Record<string, string>);
    }
  });

  it('is to be tried again where the receiver does not acknowledge, and tells no path of the URL', async () => {
    const argument = { task: site.task(), callbackUrl: receiver.url('/refuses'), finished };
    const failure = await failed(site.worker().sendCallback(argument));
    expect(failure).to.deep.include({ type: 'CALLBACK_FAILED', retryable: true });
    expect(failure.message).to.include('status 500').and.not.include('/refuses');
  });

  it('fails at once where the organization is gone', async () => {
    const task = site.task({ organizationId: randomUUID() });
    const failure = await failed(site.worker().sendCallback({ task, callbackUrl: receiver.url('/gone'), finished }));
    expect(failure).to.deep.include({ type: 'NOT_FOUND', retryable: false });
    expect(receiver.received('/gone')).to.be.empty;
  });
});
