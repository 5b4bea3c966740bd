import { Client, Connection } from '@temporalio/client';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from './service.ts';

/** `host:port` of the Temporal server of a running service. */
export function temporalAddress({ dataDir }: Service): string {
  const { port } = JSON.parse(readFileSync(join(dataDir, 'temporal.pid.json'), 'utf8')) as {
    port: number;
  };
  return `127.0.0.1:${port}`;
}

/** The Temporal server of a running service, as an operator reaches it. Close its connection. */
export async function connectTemporal(service: Service): Promise<Client> {
  const connection = await Connection.connect({ address: temporalAddress(service) });
  return new Client({ connection, namespace: 'agent-tasks' });
}
