// Takes long: three Temporal servers, and three services.
import { msToTs } from '../../src/temporal/sdkInternals.ts';
import { expect } from 'chai';
import { connectTo, devServers, namespace } from '../helpers/devServer.ts';
import { endServices, startService } from '../helpers/service.ts';
import { PERMISSION_DENIED, startTemporalProxy } from '../helpers/temporalProxy.ts';
import { citiesBody } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

/** What Temporal Cloud lets no client call: the operator's service, and changes of namespaces. */
const isForPeople = (path: string) =>
  path.includes('OperatorService/') || /\/(RegisterNamespace|UpdateNamespace)$/.test(path);

describe('on a server that rejects operators’ calls, as Temporal Cloud does', function () {
  this.timeout(300_000);
  const servers = devServers();
  const resources = new AsyncDisposableStack();
  const refusal = { code: PERMISSION_DENIED, message: 'Request unauthorized.' };
  const behindProxy = async (address: string) => {
    const proxy = await startTemporalProxy(address, (path) =>
      isForPeople(path) ? refusal : undefined,
    );
    resources.defer(() => proxy.close());
    return { TEMPORAL_ADDRESS: proxy.address };
  };
  afterEach(async function () {
    await endServices(this.currentTest);
  });
  after(() => resources.disposeAsync());

  it('starts, is ready, and publishes a page', async () => {
    const service = await startService({ env: await behindProxy((await servers.start()).address) });
    const { status, json } = await service.request('GET', '/readyz');
    expect([status, json]).to.deep.equal([
      200,
      {
        status: 'ready',
        checks: {
          database: true,
          disk: true,
          temporal: true,
          worker: true,
          searchAttributes: true,
        },
      },
    ]);
    const taskId = await service.createTask(citiesBody(['Rome'], { publish: true }));
    const [page] = outputOf(await service.waitForTask(taskId)).pagesCreated;
    expect((await service.request('GET', page!.publishedUrl!)).status).to.equal(200);
  });

  it('warns at the start about a namespace that keeps tasks for less time than documented', async () => {
    const { address, ...server } = await servers.start();
    await connectTo({ address, ...server }, ({ workflowService }) =>
      workflowService.updateNamespace({
        namespace,
        config: { workflowExecutionRetentionTtl: msToTs('7 days') },
      }),
    );
    const service = await startService({ env: await behindProxy(address) });
    expect(service.launched.stdout).to.include('keeps finished tasks for less than 30 days');
    const { json } = await service.request('GET', '/api/v1/openapi.json');
    expect(json.info.description).to.match(/\b7 days\b/);
  });
});
