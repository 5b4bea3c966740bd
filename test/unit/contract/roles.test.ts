import { expect } from 'chai';
import { hasRole, roleTooLowMessage, roles } from '../../../src/contract/roles.ts';

describe('hasRole(role, least)', () => {
  it('orders viewer, member, admin, owner', () => {
    const held = roles.map((role) => roles.filter((least) => hasRole(role, least)).length);
    expect(held).to.deep.equal([1, 2, 3, 4]);
    expect(hasRole('viewer', 'member')).to.equal(false);
    expect(hasRole('member', 'member')).to.equal(true);
    expect(hasRole('owner', 'member')).to.equal(true);
  });
});

describe('roleTooLowMessage(role, least)', () => {
  it('says whose key it is, and which role is needed', () => {
    expect(roleTooLowMessage('member', 'admin')).to.match(/\bmember\b.*\badmin\b/);
    expect(roleTooLowMessage('admin', 'owner')).to.match(/\badmin\b.*\bowner\b/);
  });
});
