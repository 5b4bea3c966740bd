import { expect } from 'chai';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { bearer, fromHere } from '../helpers/api.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { type AtPort, connectByOAuth, formed, startPeopleAtPort } from '../helpers/oauth.ts';
import { type People, startPeople } from '../helpers/people.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../helpers/postgres.ts';
import { needProgram } from '../helpers/programs.ts';

describe('OAuth of two processes at one PostgreSQL', function () {
  this.timeout(120_000);
  let server: PostgresDatabase;
  const folder = temporaryFolder();
  const databases: Database[] = [];
  let people: AtPort;
  let elsewhere: People;

  before(async function () {
    needProgram(this, 'PostgreSQL');
    server = await createPostgresDatabase();
    for (const name of ['one', 'other'])
      databases.push(
        await openDatabase({ dataDir: join(folder.path, name), databaseUrl: server.url }),
      );
    const [one, other] = databases as [Database, Database];
    const app = { trustProxy: fromHere };
    people = await startPeopleAtPort({ db: one.db, app });
    elsewhere = await startPeople({ db: other.db, publicUrl: () => new URL(people.origin) });
  });
  after(async () => {
    await people?.close();
    await elsewhere?.close();
    for (const database of databases) await database.close();
    await server?.stop();
    folder.remove();
  });

  it('lets either process take and refresh the tokens of the other, until the person ends them', async () => {
    const { person, organizationId } = await people.owner();
    const assistant = await connectByOAuth(people.origin, person, organizationId);
    const { kept, client } = assistant.program;
    const listTools = async (token: string) => {
      const { status } = await elsewhere.api.request('POST', '/mcp', {
        headers: {
          ...bearer(token),
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      return status;
    };
    expect(await listTools(kept!.access_token)).to.equal(200);
    const fields = {
      grant_type: 'refresh_token',
      client_id: (client as { client_id: string }).client_id,
      refresh_token: kept!.refresh_token!,
    };
    const { json } = await elsewhere.api.request('POST', '/auth/oauth2/token', formed(fields));
    expect(await listTools(json['access_token'] as string)).to.equal(200);
    // a program's parallel refreshes, which a balancer spreads over both
    const again = { ...fields, refresh_token: json['refresh_token'] as string };
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        [people, elsewhere][n % 2]!.api.request('POST', '/auth/oauth2/token', formed(again)),
      ),
    );
    const given = replies.map((reply) => [reply.json['access_token'], reply.json['refresh_token']]);
    expect(given[0]![0]).to.be.a('string');
    for (const each of given) expect(each).to.deep.equal(given[0]);
    await people.accounts.assistants.prune();
    expect(await listTools(json['access_token'] as string)).to.equal(200);
    await person.post('/auth/revoke-sessions');
    expect(await listTools(json['access_token'] as string)).to.equal(401);
    await assistant.close();
  });
});
