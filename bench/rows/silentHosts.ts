import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../../test/helpers/certificates.ts';
import { temporaryFolder } from '../../test/helpers/database.ts';
import { otherOrganization } from '../../test/helpers/otherOrganization.ts';
import { endServices, type Service, startService } from '../../test/helpers/service.ts';
import { type SilentHosts, startSilentHosts } from '../../test/helpers/silentHosts.ts';
import { removeTeamSites, TeamSite } from '../../test/helpers/team/site.ts';
import { noLimits, townsBody } from '../bench.ts';
import { median, timed } from '../measure.ts';
import { digits, type Row } from '../table.ts';

/** Beside the others, and half as many before and after. */
const TASKS = 24;

/** How long another organization's task takes beside tasks that wait for hosts that say nothing. */
export async function silentHosts(waiting: number): Promise<Row[]> {
  const folder = temporaryFolder();
  const authority = await createAuthority();
  const certificates = join(folder.path, 'authority.pem');
  writeFileSync(certificates, authority.ca);
  const own = { CALLBACK_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: certificates };
  const service = await startService({ env: { ...noLimits, ...own } });
  let silent: SilentHosts | undefined;
  try {
    silent = await startSilentHosts(service, authority);
    return await measure(service, silent, waiting);
  } finally {
    await endServices();
    await silent?.close();
    removeTeamSites();
    folder.remove();
  }
}

async function measure(service: Service, silent: SilentHosts, count: number): Promise<Row[]> {
  const site = await TeamSite.register(await otherOrganization(service), 'beside');
  const inTurn = async (tasks: number) => {
    const times: number[] = [];
    while (times.length < tasks) times.push(await timed(() => site.run(townsBody(1))));
    return times;
  };
  await inTurn(TASKS / 2);
  const before = await inTurn(TASKS / 2);
  const waiting = await silent.wait(count);
  const beside = await inTurn(TASKS);
  await silent.cancel(waiting);
  const alone = [...before, ...(await inTurn(TASKS / 2))];
  const [ours, theirs] = [median(beside), median(alone)];
  return [
    {
      what: `the same beside ${count} tasks at silent hosts / alone`,
      aim: '1.5',
      measured: `${(ours / theirs).toFixed(2)} (${digits(ours)} / ${digits(theirs)} ms)`,
    },
  ];
}
