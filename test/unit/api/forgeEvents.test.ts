import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { createForgeEventReceiver } from '../../../src/api/forgeEvents.ts';
import type { ExternalHost, Site } from '../../../src/contract/site.ts';
import { DomainError } from '../../../src/errors.ts';

const secret = 'whsec_c2VjcmV0';
const commit = 'c0'.repeat(20);
const tasks = ['bg-one', 'bg-two'];

function start(ownHost: Partial<ExternalHost> = { webhook: { credentialId: 'w' } }) {
  const told: string[][] = [];
  const heard: string[][] = [];
  let admitted = 0;
  const admitSigned = () => Promise.resolve(void admitted++);
  const news = createForgeEventReceiver({
    sites: {
      get: (siteId) =>
        siteId === 'site'
          ? Promise.resolve({ siteId, ownHost: { project: 'Team/site', ...ownHost } } as Site)
          : Promise.reject(new DomainError('NOT_FOUND', 'Site not found')),
      hearWebhook: (...of) => Promise.resolve(void heard.push(of)),
    },
    credentials: { openSecret: () => Promise.resolve(secret) },
    runningTasks: () => Promise.resolve(new Set(tasks)),
    notifyTasks: (taskIds) => Promise.resolve(void told.push(taskIds)),
  });
  const receive = (
    payload: object,
    { event = 'push', key = secret, site = 'site', delivery = '1' } = {},
  ) => {
    const body = Buffer.from(JSON.stringify(payload));
    const signature = createHmac('sha256', key).update(body).digest('hex');
    const headers = {
      'x-gitea-event': event,
      'x-gitea-delivery': delivery,
      'x-gitea-signature': signature,
    };
    return news.receive(site, { headers, body }, admitSigned);
  };
  return { told, heard, receive, admitted: () => admitted };
}

const repository = { full_name: 'team/site' };
const push = (branch: string) => ({ repository, ref: `refs/heads/${branch}`, after: commit });

describe('receive(siteId, request)', () => {
  it("notifies a branch's task, or all tasks of the site if the event names none of them", async () => {
    const { told, receive } = start();
    expect(await receive(push('bg-two'))).to.equal(true);
    expect(await receive(push('main'))).to.equal(true);
    expect(await receive({ repository, sha: commit }, { event: 'status' })).to.equal(true);
    expect(told).to.deep.equal([['bg-two'], tasks, tasks]);
  });

  it('rejects events that the secret did not sign, unknown sites, and sites without webhooks', async () => {
    const { told, receive, admitted } = start();
    expect(await receive(push('main'), { key: 'other' })).to.equal(false);
    expect(await receive(push('main'), { site: 'other' })).to.equal(false);
    expect(await start({}).receive(push('main'))).to.equal(false);
    expect(admitted(), 'counted for the site').to.equal(0);
    expect(told).to.deep.equal([]);
    await receive(push('main'));
    expect(admitted(), 'counted for the site').to.equal(1);
  });

  it('records once that a signed event came, and no other', async () => {
    const { heard, receive } = start();
    await receive(push('main'), { key: 'other' });
    expect(heard).to.deep.equal([]);
    await receive({ zen: 'Keep it simple' }, { event: 'ping' });
    expect(heard).to.deep.equal([['site', 'w']]);
    const known = start({ webhook: { credentialId: 'w', isHeard: true } });
    await known.receive(push('main'));
    expect(known.heard).to.deep.equal([]);
  });

  it('accepts signed events without meaning and those of other projects, and notifies nobody', async () => {
    const { told, receive } = start();
    expect(await receive({ zen: 'Keep it simple' }, { event: 'ping' })).to.equal(true);
    expect(await receive({ ...push('main'), repository: { full_name: 'a/b' } })).to.equal(true);
    expect(told).to.deep.equal([]);
  });
});
