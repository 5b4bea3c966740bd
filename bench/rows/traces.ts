import { temporaryFolder } from '../../test/helpers/database.ts';
import { type Service, startService } from '../../test/helpers/service.ts';
import { connectTemporal } from '../../test/helpers/temporalClient.ts';
import { startTraceReceiver } from '../../test/helpers/traceReceiver.ts';
import { createApi, ended, noLimits, registerSites, townsBody } from '../bench.ts';
import { atOnce, compare, median, timed } from '../measure.ts';
import { cpuOf } from '../processTree.ts';
import { digits, type Row, rowOf } from '../table.ts';

const TASKS = 10;

/** Published pages of a service that sends traces, and of one that does not. */
export async function traces(): Promise<Row[]> {
  const receiver = await startTraceReceiver();
  const folders = [temporaryFolder(), temporaryFolder()] as const;
  try {
    const traced = await openPublisher(folders[0].path, {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    });
    const untraced = await openPublisher(folders[1].path, {});
    const comparison = await compare(
      `${TASKS} published pages with traces / without`,
      { aim: '1.1', rounds: 12, within: 120_000 },
      { measured: () => traced.publish(), baseline: () => untraced.publish() },
    );
    await Promise.all([traced.close(), untraced.close()]);
    const cpu = `CPU time of a page ${digits(traced.cpu())} / ${digits(untraced.cpu())} ms`;
    const row = rowOf(comparison);
    return [{ ...row, measured: `${row.measured}; ${cpu}` }];
  } finally {
    await receiver.close();
    for (const folder of folders) folder.remove();
  }
}

async function openPublisher(dataDir: string, env: Record<string, string>) {
  const service = await startService({ dataDir, env: { ...noLimits, ...env } });
  const [api, client] = [createApi(service), await connectTemporal(service)];
  const [site] = await registerSites(service, 1);
  const cpu: number[] = [];
  return {
    async publish() {
      const before = cpuNow(service);
      const ms = await timed(() =>
        atOnce(TASKS, async () =>
          ended(client, await api.create(site!, townsBody(1, { publish: true }))),
        ),
      );
      cpu.push((cpuNow(service) - before) / TASKS);
      return ms;
    },
    cpu: () => median(cpu.slice(1)),
    async close() {
      await Promise.all([client.connection.close(), api.close()]);
    },
  };
}

const cpuNow = ({ launched, temporalPid }: Service) => cpuOf(launched.pid, temporalPid);
