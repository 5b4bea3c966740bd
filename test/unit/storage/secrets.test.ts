import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createSecrets } from '../../../src/storage/secrets.ts';
import { testDatabase } from '../../helpers/database.ts';

describe('createSecrets(db).secret(name)', () => {
  it('is 32 bytes, the same each time', async () => {
    const secrets = createSecrets(await testDatabase());
    const name = randomUUID();
    const first = await secrets.secret(name);
    expect(first).to.have.length(32);
    expect((await secrets.secret(name)).equals(first)).to.equal(true);
  });

  it('is the same for all simultaneous first callers', async () => {
    const secrets = createSecrets(await testDatabase());
    const name = randomUUID();
    const asked = await Promise.all(Array.from({ length: 8 }, () => secrets.secret(name)));
    expect(new Set(asked.map((value) => value.toString('hex')))).to.have.property('size', 1);
  });

  it('differs from name to name', async () => {
    const secrets = createSecrets(await testDatabase());
    expect(
      (await secrets.secret(randomUUID())).equals(await secrets.secret(randomUUID())),
    ).to.equal(false);
  });
});
