// Takes long: three processes, and five sites.
import { expect } from 'chai';
import { operateOn } from '../helpers/cluster.ts';
import { Deployment } from '../helpers/deployment.ts';
import { createPatiently } from '../helpers/createPatiently.ts';
import { endServices, Service } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { startTemporalProxy } from '../helpers/temporalProxy.ts';

const [ORGANIZATIONS, LIMIT, PROCESSES] = [5, 3, 2];
/** As a frontend of Temporal's with a full namespace, and less than it allows anywhere. */
const LISTS_PER_SECOND = 2;
const RESOURCE_EXHAUSTED = 8;
const isList = (path: string) => /\/(Count|List)WorkflowExecutions$/.test(path);

/** Refuses lists and counts over the limit, and counts those that came. */
function visibility() {
  const came: number[] = [];
  const refuse = (path: string) => {
    if (!isList(path)) return undefined;
    const now = Date.now();
    const isOver = came.filter((at) => at > now - 1_000).length >= LISTS_PER_SECOND;
    came.push(now);
    return isOver
      ? { code: RESOURCE_EXHAUSTED, message: 'namespace rate limit exceeded' }
      : undefined;
  };
  return { came, refuse };
}

describe(`${ORGANIZATIONS} organizations on ${PROCESSES} API processes, where Temporal lists ${LISTS_PER_SECOND} times a second`, function () {
  this.timeout(300_000);
  const lists = visibility();
  const resources = new AsyncDisposableStack();
  let deployment: Deployment;
  let temporalAddress: string;
  let apis: Service[];
  const sites: {
    organizationId: string;
    apiKey: string;
    site: TeamSite;
    gate: ReturnType<TeamSite['gate']>;
  }[] = [];

  before(async () => {
    const direct = await Deployment.start();
    resources.defer(() => direct.stop());
    await direct.answerOf('temporal', 'setup');
    temporalAddress = direct.env.TEMPORAL_ADDRESS!;
    const proxy = await startTemporalProxy(temporalAddress, lists.refuse);
    resources.defer(() => proxy.close());
    deployment = new Deployment(direct.database, proxy.address);
    await operateOn(deployment, async (command) => {
      for (let n = 0; n < ORGANIZATIONS; n++) {
        const { organizationId } = await command('organization create', {
          name: `Organization ${n}`,
        });
        const key = { organization: organizationId, role: 'member', name: 'test' };
        const { apiKey } = await command('key create', key);
        sites.push({ organizationId: organizationId!, apiKey: apiKey! } as (typeof sites)[number]);
      }
    });
    const env = { TASKS_IN_FLIGHT: String(LIMIT) };
    apis = await Promise.all(
      Array.from({ length: PROCESSES }, () => deployment.startApi(sites[0]!, env)),
    );
    await deployment.startWorker();
    for (const [n, owner] of sites.entries()) {
      owner.site = new TeamSite(apis[0]!, `limits-${n}`);
      owner.gate = owner.site.gate('refs/agent-tasks/');
    }
    await operateOn(deployment, async (command) => {
      for (const { organizationId, site } of sites) {
        const options = { organization: organizationId, name: site.name, repository: site.remote };
        site.siteId = (await command('site create', options)).siteId!;
      }
    });
  });
  after(async function () {
    for (const { gate } of sites) gate?.open();
    await endServices(this.currentTest);
    removeTeamSites();
    await resources.disposeAsync();
  });

  type Owner = (typeof sites)[number];
  const as = (owner: Owner, n: number) => {
    const api = apis[n % PROCESSES]!;
    return new Service(api.dataDir, { ...api.demo, ...owner }, api.launched);
  };
  const create = ({ ...owner }: Owner, n: number) =>
    createPatiently((headers) =>
      as(owner, n).postTask({ siteId: owner.site.siteId, ...citiesBody([`Town-${n}`]) }, headers),
    );
  const createMany = async (owner: Owner, first: number) =>
    Promise.all(Array.from({ length: 2 * LIMIT }, (_, n) => create(owner, first + n)));
  const statusesOf = (replies: { status: number }[]) => replies.map(({ status }) => status).sort();
  const expected = [...Array<number>(LIMIT).fill(200), ...Array<number>(LIMIT).fill(429)];
  let started: { owner: Owner; taskId: string }[] = [];
  /** Each organization creates twice as many tasks as it may have. */
  async function fillAll(first: number) {
    const replies = await Promise.all(sites.map((owner) => createMany(owner, first)));
    for (const [n, ofOne] of replies.entries())
      expect(statusesOf(ofOne), `organization ${n}`).to.deep.equal(expected);
    started = replies.flatMap((ofOne, n) =>
      ofOne
        .filter(({ status }) => status === 200)
        .map(({ json }) => ({ owner: sites[n]!, taskId: json.taskId as string })),
    );
  }

  it('keep each organization’s limit over all processes, without listing workflows', async () => {
    const before = lists.came.length;
    await fillAll(0);
    expect(lists.came.length - before).to.equal(0);
  });

  it('release their permits when the tasks have ended', async () => {
    for (const { gate } of sites) gate.open();
    for (const [n, { owner, taskId }] of started.entries()) await as(owner, n).waitForTask(taskId);
    const gates = sites.map(({ site }) => site.gate('refs/agent-tasks/'));
    for (const [n, owner] of sites.entries()) owner.gate = gates[n]!;
    await fillAll(100);
  });
});
