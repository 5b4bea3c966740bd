import { expect } from 'chai';
import { atTime } from '../../helpers/atTime.ts';
import { createGrants, grantLifetimes } from '../../../src/editor/grants.ts';

const grant = { organizationId: 'o-1', taskId: `bg-${'a'.repeat(22)}`, keyId: 'k-1' };
const secret = Buffer.alloc(32, 1);

describe('createGrants(secret)', () => {
  let time = Date.parse('2026-01-02T03:04:05Z');
  const grants = atTime(() => time, createGrants(secret));

  it('reads the tokens that it issued, in every process with the secret', () => {
    const { token } = grants.issue('link', grant);
    expect(atTime(() => time, createGrants(secret)).read('link', token)).to.deep.equal(grant);
    expect(atTime(() => time, createGrants(Buffer.alloc(32, 2))).read('link', token)).to.equal(
      null,
    );
  });

  it('never accepts a link as a session, nor a session as a link', () => {
    expect(grants.read('session', grants.issue('link', grant).token)).to.equal(null);
    expect(grants.read('link', grants.issue('session', grant).token)).to.equal(null);
  });

  it('ends links after 10 minutes and sessions after 2 hours', () => {
    const link = grants.issue('link', grant);
    const session = grants.issue('session', grant);
    expect(link.expiresAt.getTime() - time).to.equal(600_000);
    time += grantLifetimes.link - 1;
    expect(grants.read('link', link.token)).to.deep.equal(grant);
    time += 1;
    expect(grants.read('link', link.token)).to.equal(null);
    time += grantLifetimes.session - grantLifetimes.link - 1;
    expect(grants.read('session', session.token)).to.deep.equal(grant);
    time += 1;
    expect(grants.read('session', session.token)).to.equal(null);
  });

  it('rejects tokens with any byte changed, cut, lengthened, or of another payload', () => {
    const { token } = grants.issue('session', grant);
    const [payload = '', signature = ''] = token.split('.');
    const forged = Buffer.from(JSON.stringify(['o-2', grant.taskId, time + 1e9])).toString(
      'base64url',
    );
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'A' ? 'B' : 'A';
      expect(
        grants.read('session', token.slice(0, i) + other + token.slice(i + 1)),
        `byte ${i}`,
      ).to.equal(null);
    }
    for (const wrong of [
      '',
      '.',
      payload,
      `${payload}.`,
      `.${signature}`,
      `${token}.x`,
      `${forged}.${signature}`,
    ])
      expect(grants.read('session', wrong), wrong).to.equal(null);
    expect(grants.read('session', `${'a'.repeat(2_000)}.${signature}`)).to.equal(null);
  });
});
