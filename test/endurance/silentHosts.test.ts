// Takes long: tasks of the real service wait at hosts that say nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAuthority } from '../helpers/certificates.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { otherOrganization } from '../helpers/otherOrganization.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { type SilentHosts, startSilentHosts } from '../helpers/silentHosts.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';

const WAITING = 20;

describe('tasks that wait at silent hosts', function () {
  this.timeout(600_000);
  const folder = temporaryFolder();
  let service: Service;
  let silent: SilentHosts;

  before(async () => {
    const authority = await createAuthority();
    const certificates = join(folder.path, 'authority.pem');
    writeFileSync(certificates, authority.ca);
    service = await startService({
      env: {
        CALLBACK_ALLOW_PRIVATE: 'true',
        NODE_EXTRA_CA_CERTS: certificates,
        TASKS_IN_FLIGHT: String(WAITING),
      },
    });
    silent = await startSilentHosts(service, authority);
  });
  after(async function () {
    await endServices(this.currentTest);
    await silent?.close();
    removeTeamSites();
    folder.remove();
  });

  it('fill the places of their organization, and leave those of another one free', async () => {
    const waiting = await silent.wait(WAITING);
    const { status } = await service.postTask(citiesBody(['Oslo']));
    expect(status, 'one more task of the same organization').to.equal(429);
    const other = await otherOrganization(service);
    const site = await TeamSite.register(other, 'beside');
    const done = await site.run(citiesBody(['Oslo'], { publish: true }));
    expect(done.status, JSON.stringify(done)).to.equal('completed');
    const views = await Promise.all(waiting.map((taskId) => service.readTask(taskId)));
    expect(views.filter((view) => view.status === 'running')).to.have.length(WAITING);
    await silent.cancel(waiting.slice(0, 1));
    expect((await service.postTask(citiesBody(['Oslo']))).status).to.equal(200);
  });
});
