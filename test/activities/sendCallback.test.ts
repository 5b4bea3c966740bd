import { type ApplicationFailure } from '@temporalio/activity';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { DATABASE_WAIT_MESSAGE } from '../../activities/sendCallback.ts';
import type { CallbackAttempt, RecordedAttempts } from '../../src/contract/callback.ts';
import type { TaskOutcome } from '../../src/contract/task.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { failed, silent, TaskSite } from '../helpers/activities.ts';
import { temporaryFolder, testDatabase } from '../helpers/database.ts';
import { startHttpReceiver, type HttpReceiver } from '../helpers/httpReceiver.ts';
import { startPglite } from '../helpers/pglite.ts';
import { until } from '../helpers/until.ts';

const finished: TaskOutcome = {
  status: 'completed',
  output: {
    pagesCreated: [
      {
        slug: '/a',
        previewUrl: 'http://preview/a',
        editUrl: null,
        publishedUrl: null,
        externalId: '7',
      },
    ],
    pagesModified: [],
    pagesDeleted: [],
  },
  finishedAt: '2026-03-04T05:07:00.000Z',
};

describe('sendCallback', function () {
  this.timeout(180_000);
  let site: TaskSite;
  let receiver: HttpReceiver;
  const held: (() => void)[] = [];
  before(async () => {
    site = await TaskSite.createSmall();
    receiver = await startHttpReceiver((path) => {
      if (path.startsWith('/held')) return new Promise((resolve) => held.push(() => resolve(204)));
      return path === '/refuses' ? 500 : 204;
    });
  });
  after(async () => {
    await receiver?.close();
    await site?.remove();
  });

  it('sends the same signed bytes under the same webhook-id when it is repeated after an acknowledgement', async () => {
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
    const secret = await createOrganizations(await testDatabase()).callbackSecret(
      site.organizationId,
    );
    for (const { headers, body } of [first!, second!]) {
      expect(headers['webhook-id']).to.equal(argument.task.taskId);
      new Webhook(secret).verify(body, headers as Record<string, string>);
    }
  });

  it('asks for another attempt if the receiver does not acknowledge, and shows no path of the URL', async () => {
    const argument = { task: site.task(), callbackUrl: receiver.url('/refuses'), finished };
    const failure = await failed(site.worker().sendCallback(argument));
    expect(failure).to.deep.include({ type: 'CALLBACK_FAILED', retryable: true });
    expect(failure.message).to.include('status 500').and.not.include('/refuses');
  });

  it('fails at once if the organization does not exist any more', async () => {
    const task = site.task({ organizationId: randomUUID() });
    const failure = await failed(
      site.worker().sendCallback({ task, callbackUrl: receiver.url('/gone'), finished }),
    );
    expect(failure).to.deep.include({ type: 'NOT_FOUND', retryable: false });
    expect(receiver.received('/gone')).to.be.empty;
  });

  describe('keeps the attempts', () => {
    const at = '2026-01-02T03:04:05.678Z';
    const refused: CallbackAttempt = { at, status: 503, error: 'was answered with status 503' };

    /**
     * Begins an attempt in an environment of its own. @param before what the attempts before it
     * kept
     */
    function begin(path: string, before: CallbackAttempt[]) {
      const info = { heartbeatDetails: { attempts: before } satisfies RecordedAttempts };
      const environment = new MockActivityEnvironment(before.length > 0 ? info : {}, {
        logger: silent,
      });
      const beats: CallbackAttempt[][] = [];
      environment.on('heartbeat', (details: RecordedAttempts | undefined) =>
        beats.push(details?.attempts ?? []),
      );
      const argument = { task: site.task(), callbackUrl: receiver.url(path), finished };
      const sent: Promise<RecordedAttempts> = environment.run(site.bare().sendCallback, argument);
      return { environment, beats, sent };
    }
    const withoutTime = ({ at: _, ...attempt }: CallbackAttempt) => attempt;

    it('in each heartbeat, including the current attempt from its beginning', async () => {
      const { beats, sent } = begin('/held-1', [refused]);
      await receiver.deliveries('/held-1', 1);
      expect(beats).to.have.length(1);
      await until('the heartbeats of two seconds', () => beats.length >= 3);
      held.pop()!();
      const { attempts } = await sent;
      expect(attempts.map(withoutTime)).to.deep.equal([withoutTime(refused), { status: 204 }]);
      expect(beats.at(-1)).to.deep.equal(attempts);
      const underWay = [refused, { at: attempts[1]!.at }];
      expect(beats.slice(0, -1)).to.deep.equal(Array(beats.length - 1).fill(underWay));
    });

    it('if the worker shuts down during the attempt, so that another attempt follows', async () => {
      const { environment, sent } = begin('/held-2', [refused]);
      await receiver.deliveries('/held-2', 1);
      environment.cancel(
        'WORKER_SHUTDOWN',
        new ActivityCancellationDetails({ workerShutdown: true }),
      );
      const failure = (await sent.catch((error: unknown) => error)) as ApplicationFailure;
      expect(failure).to.deep.include({ type: 'WorkerShutdown', nonRetryable: false });
      const [{ attempts }] = failure.details as [RecordedAttempts];
      expect(attempts.map(withoutTime)).to.deep.equal([withoutTime(refused), {}]);
    });
  });

  it('waits for an unavailable database before the attempt begins, and sends when the database is back', async () => {
    const folder = temporaryFolder();
    const open = () => startPglite({ folder: join(folder.path, 'served'), port, connections: 10 });
    let port = 0;
    let server = await open();
    ({ port } = server);
    const database = await openDatabase({
      dataDir: join(folder.path, 'data'),
      databaseUrl: server.url,
      log: { warn: () => undefined },
    });
    try {
      const organizations = createOrganizations(database.db);
      const { organizationId } = await organizations.create({ name: 'Away' });
      const environment = new MockActivityEnvironment({}, { logger: silent });
      let beats = 0;
      environment.on('heartbeat', () => (beats += 1));
      const argument = {
        task: site.task({ organizationId }),
        callbackUrl: receiver.url('/away'),
        finished,
      };
      await server.stop();
      const { sendCallback } = site.bare('data', { organizations });
      const sent: Promise<RecordedAttempts> = environment.run(sendCallback, argument);
      const waits = () => site.logs.some((line) => line['msg'] === DATABASE_WAIT_MESSAGE);
      await until('the first read that fails', waits);
      await until('the heartbeats while it waits', () => beats >= 2);
      expect(receiver.received('/away')).to.be.empty;

      const back = new Date().toISOString();
      server = await open();
      const { attempts } = await sent;
      expect(attempts).to.have.length(1);
      expect(attempts[0]!.status).to.equal(204);
      expect(attempts[0]!.at >= back).to.equal(true);
      const [delivery] = await receiver.deliveries('/away', 1);
      const secret = await organizations.callbackSecret(organizationId);
      new Webhook(secret).verify(delivery!.body, delivery!.headers as Record<string, string>);
    } finally {
      await database.close();
      await server.stop();
      folder.remove();
    }
  });
});
