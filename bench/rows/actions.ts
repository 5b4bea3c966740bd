import type { Client } from '@temporalio/client';
import { endServices, type Service, startService } from '../../test/helpers/service.ts';
import { removeTeamSites, TeamSite } from '../../test/helpers/team/site.ts';
import { connectTemporal } from '../../test/helpers/temporalClient.ts';
import { startHttpReceiver } from '../../test/helpers/httpReceiver.ts';
import { createApi, ended, noLimits, townsBody } from '../bench.ts';
import { digits, type Row } from '../table.ts';
import { actionsOf } from './history.ts';

const PAGES = 10;
const MEASURED = 5;
const env = { ...noLimits, CALLBACK_ALLOW_PRIVATE: 'true', METRICS_ADDRESS: '127.0.0.1:0' };
/**
 * What the worker asks Temporal for beside what a history shows. The polls of the API's clients go
 * another way.
 */
const asked = ['RecordActivityTaskHeartbeat', 'QueryWorkflow'];

/**
 * Billable actions of a published ten-page task with a callback, heartbeats and queries included:
 * the SDK of a service of its own counts those.
 */
export async function actions(): Promise<Row[]> {
  const receiver = await startHttpReceiver(() => 204);
  const service = await startService({ env });
  const client = await connectTemporal(service);
  try {
    return [await measure(service, client, receiver.url('/actions'))];
  } finally {
    await client.connection.close();
    await endServices();
    removeTeamSites();
    await receiver.close();
  }
}

async function measure(service: Service, client: Client, callbackUrl: string): Promise<Row> {
  const [api, site] = [createApi(service), await TeamSite.register(service, 'actions')];
  const body = () => townsBody(PAGES, { publish: true, callbackUrl });
  const run = async () => {
    const taskId = await api.create(site, body());
    await ended(client, taskId);
    return taskId;
  };
  await run();
  const before = await requestsOf(service);
  let shown = 0;
  for (let n = 0; n < MEASURED; n++) {
    const { events } = await client.workflow.getHandle(await run()).fetchHistory();
    shown += actionsOf(events!);
  }
  const more = (await requestsOf(service)).map((count, i) => count - before[i]!);
  const [heartbeats, queries] = more.map((count) => count / MEASURED) as [number, number];
  await api.close();
  const all = shown / MEASURED + heartbeats + queries;
  const what = 'its billable actions, with heartbeats and queries';
  const parts = `${digits(heartbeats)} heartbeats, ${digits(queries)} queries`;
  return { what, aim: '22', measured: `${digits(all)}; of these ${parts}` };
}

/** How many of each kind the service's worker has asked so far. */
async function requestsOf({ launched: { stderr } }: Service): Promise<number[]> {
  const [, url] = /Metrics at (\S+)/.exec(stderr)!;
  const text = await (await fetch(url!)).text();
  return asked.map((operation) => {
    const counted = new RegExp(
      `^temporal_request_total\\{.*operation="${operation}".*\\} (\\d+)$`,
      'gm',
    );
    return [...text.matchAll(counted)].reduce((sum, [, count]) => sum + Number(count), 0);
  });
}
