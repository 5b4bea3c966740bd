import { Client, Connection } from '@temporalio/client';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from './service.ts';

/** The Temporal server of a running service, as an operator reaches it. Close its connection. */
export async function connectTemporal({ dataDir }: Service): Promise<Client> {
  const { port } = JSON.parse(readFileSync(join(dataDir, 'temporal.pid.json'), 'utf8')) as { port: number };
  const connection = await Connection.connect({ address: `127.0.0.1:${port}` });
  return new Client({ connection, namespace: 'agent-tasks' });
}
