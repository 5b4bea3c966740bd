import { expect } from 'chai';
import { join } from 'node:path';
import { createCalls, windowOf } from '../../../src/agents/calls.ts';
import { createLimiter } from '../../../src/api/middleware/limiter.ts';
import { storeOf } from '../../../src/api/middleware/rateLimit.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { temporaryFolder } from '../../helpers/database.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../helpers/postgres.ts';
import { needProgram } from '../../helpers/programs.ts';

describe('calls of two processes at one PostgreSQL', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const databases: Database[] = [];
  let server: PostgresDatabase;
  before(async function () {
    needProgram(this, 'PostgreSQL');
    server = await createPostgresDatabase();
    for (const name of ['one', 'other'])
      databases.push(
        await openDatabase({ dataDir: join(folder.path, name), databaseUrl: server.url }),
      );
  });
  after(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await server?.stop();
    folder.remove();
  });

  // the length of a window has to be one that the database takes: otherwise each process would
  // count on its own
  for (const perMinute of [118, 90])
    it(`count together: ${perMinute} in a minute`, async () => {
      const { points, seconds: duration } = windowOf(perMinute);
      const answers: number[] = [];
      const processes = databases.map(({ pool }) => {
        const limiter = createLimiter(
          storeOf({ keyPrefix: `calls_${perMinute}`, points, duration }, pool),
        );
        const next = async () => {
          const { counted, msLeft } = await limiter.count('all');
          answers.push(counted);
          return counted <= points ? 0 : Math.max(1, msLeft);
        };
        return createCalls({ atOnce: 10, next });
      });
      const { signal } = new AbortController();
      const call = () => Promise.resolve();
      await Promise.all(processes.flatMap((one) => [1, 2].map(() => one.run('a', call, signal))));
      const allowed = answers.filter((counted) => counted <= points);
      expect(allowed).to.have.length(4);
      const { rows } = await databases[0]!.pool!.query('select key, points from rate_limits');
      const keys = rows.map(({ key }: { key: string }) => key);
      expect(keys).to.include(`calls_${perMinute}:all`);
    });
});
