import { mkdirSync } from 'node:fs';
import { type Answer, type ModelRequest, startModelServer } from '../helpers/modelServer.ts';
import { call, turnsIn } from '../helpers/modelTurns.ts';
import { operateWith } from '../helpers/operator.ts';
import { freePort } from '../helpers/ports.ts';
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts';
import type { LaunchedProcess } from '../helpers/launched.ts';
import { launchService, READY_WITHIN_MS } from '../helpers/service.ts';
import { type DatabaseKind, releaseFiles } from './release.ts';

export const MODEL = 'openai-compatible/scripted';
/** The model of the story asks, and does as it is told. */
export const askFirst = (asked: ModelRequest): Answer => ({ calls: turns[turnsIn(asked)]! });
const turns = [
  [call('ask', { question: 'What is our new name?' })],
  [call('replace_text', { from: 'Northwind', to: 'Southwind', slug: '/about' })],
  [call('finish', { summary: 'Renamed us' })],
];

/** Encrypts the secrets of a release on PostgreSQL. It is no secret itself. */
const SECRETS_KEYS = `release:${Buffer.alloc(32, 7).toString('base64')}`;

/** The code as it is now, on the files of a release. */
export interface ReleasedService {
  process: LaunchedProcess;
  baseUrl: string;
  postgres: PostgresServer | undefined;
  /** Runs an operator command, and returns its answer. */
  operate: (...words: string[]) => Promise<Record<string, string>>;
}

/**
 * Starts the service, and the server of its database.
 * @param folder of the release. Empty, or unpacked
 * @param options.hasDump whether PostgreSQL gets the dump first
 */
export async function startOnRelease(
  kind: DatabaseKind,
  folder: string,
  { hasDump, resources }: { hasDump: boolean; resources: AsyncDisposableStack },
): Promise<ReleasedService> {
  const model = await startModelServer(askFirst);
  resources.defer(() => model.close());
  const postgres = kind === 'postgres' ? await startPostgres() : undefined;
  resources.defer(() => postgres?.stop());
  if (hasDump) await postgres?.execute('psql -h localhost -U postgres -qf database.sql', folder);
  const database = postgres ? { DATABASE_URL: postgres.url, SECRETS_KEYS } : {};
  const port = await freePort();
  const { data } = releaseFiles(folder);
  mkdirSync(data, { recursive: true });
  const process = launchService({
    dataDir: data,
    env: {
      PORT: String(port),
      AGENT_MODEL: `rules,${MODEL}`,
      AGENT_BASE_URL: model.url('openai-compatible'),
      CALLBACK_ALLOW_PRIVATE: 'true',
      PREVIEW_RETENTION: '36500',
      ...database,
    },
  });
  resources.defer(() => process.end());
  await process.ready(READY_WITHIN_MS);
  const operate = async (...words: string[]) => {
    const { code, stdout, stderr } = await operateWith(database, data, ...words);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, string>;
  };
  return { process, baseUrl: `http://localhost:${port}/api/v1`, postgres, operate };
}
