import { expect } from 'chai';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { createModelUsage } from '../../../src/organizations/modelUsage.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { temporaryFolder } from '../../helpers/database.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../helpers/postgres.ts';
import { needProgram } from '../../helpers/programs.ts';

describe('language model calls of two workers on one PostgreSQL', function () {
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

  it('are counted together: each call and each task once, also if both record the same', async () => {
    const workers = databases.map(({ db }) => createModelUsage(db));
    const { organizationId } = await createOrganizations(databases[0]!.db).create({ name: 'A' });
    const calls = Array.from({ length: 40 }, (_, i) => ({
      callId: randomUUID(),
      organizationId,
      taskId: `bg-${i % 4}`,
      model: 'openai/gpt-5',
      estimatedTokens: 1_000,
    }));
    const used = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 2 };
    const record = (usage: (typeof workers)[number]) =>
      Promise.all(
        calls.map(async (call, i) => {
          await usage.begin(call);
          if (i % 2 === 0) await usage.answer(call.callId, used);
        }),
      );
    await Promise.all(workers.map(record));
    const [{ models } = { models: [] }] = await workers[1]!.months(organizationId);
    expect(models).to.deep.equal([
      {
        model: 'openai/gpt-5',
        tasks: 4,
        calls: 40,
        estimatedCalls: 20,
        inputTokens: 20 * 10 + 20 * 1_000,
        cachedInputTokens: 20 * 4,
        outputTokens: 20 * 2,
      },
    ]);
    const month = workers[0]!.month();
    expect(await workers[0]!.usedTokens(organizationId, month)).to.equal(20_240);
  });
});
