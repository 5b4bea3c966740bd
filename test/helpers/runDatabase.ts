import pg from 'pg';

/**
 * Creates a database on the run's server, which removes it at its end.
 * @returns its URL, null outside of a run and where PostgreSQL is missing
 */
export async function createRunDatabase(
  template: 'template1' | 'migrated',
): Promise<string | null> {
  const server = process.env['TEST_POSTGRES'];
  if (!server) return null;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: name }).href;
}
