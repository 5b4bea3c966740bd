// Takes long: the streams of whole tasks.
import { expect } from 'chai';
import { endServices, type Reply, type Service, sharedService } from '../helpers/service.ts';
import { shownStreams, withoutNames } from '../helpers/streams.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';

describe('reading what tasks do, on a running service', function () {
  this.timeout(180_000);
  let service: Service;
  before(async () => void (service = await sharedService()));
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const get = (path: string, headers = {}): Promise<Reply> =>
    service.request('GET', `/api/v1${path}`, { headers });

  describe('the streams that docs/api.md and the OpenAPI document show', () => {
    const shown = shownStreams();
    const bodies = {
      completed: { prompt: 'Change the headline of /pricing to "Prices that fit on one page"' },
      failed: citiesBody(['Lisbon'], { templatePageSlug: '/locations/paris' }),
    };

    for (const status of ['completed', 'failed'] as const)
      it(`are sent for a ${status} task`, async () => {
        const fresh = await TeamSite.register(service, `shown-${status}`);
        const taskId = await fresh.create(bodies[status]);
        const { text } = await get(`/agent/tasks/${taskId}/events`);
        expect(withoutNames(text)).to.equal(withoutNames(shown[status]));
        expect(text).to.include(`"taskId":"${taskId}","status":"${status}"`);
      });
  });
});
