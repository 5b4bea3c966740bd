import { expect } from 'chai';
import { repositoryAddresses } from '../../../src/callbacks/repositoryHosts.ts';

describe('repositoryAddresses(host, policy)', () => {
  const policy = (addresses: string[] | Error = ['93.184.216.34', '2606:2800:220:1::1']) => ({
    allowPrivate: false,
    ownHosts: ['own.example', '.sites.example'],
    resolve: () =>
      addresses instanceof Error ? Promise.reject(addresses) : Promise.resolve(addresses),
  });
  const failureOf = (host: string, addresses?: string[] | Error) =>
    repositoryAddresses(host, policy(addresses)).then(
      () => undefined,
      ({ code, details, retryable }: { code: string; details: unknown; retryable: boolean }) => ({
        code,
        details,
        retryable,
      }),
    );

  it('returns all addresses of a public host, and a public address unchanged', async () => {
    expect(await repositoryAddresses('git.example', policy())).to.deep.equal([
      '93.184.216.34',
      '2606:2800:220:1::1',
    ]);
    expect(await repositoryAddresses('93.184.216.34', policy())).to.deep.equal(['93.184.216.34']);
    expect(await repositoryAddresses('2606:2800:220:1::1', policy())).to.deep.equal([
      '2606:2800:220:1::1',
    ]);
    expect(await repositoryAddresses('git.example', { ...policy(), allowPrivate: true })).to.equal(
      null,
    );
  });

  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '169.254.169.254',
    'localhost',
    'x.local',
    'git',
    'own.example',
    'a.sites.example',
    'git.example.',
    'a@git.example',
    'git.example/x',
    'git.example:22',
    '',
    '-oProxyCommand=id',
  ])
    it(`rejects ${JSON.stringify(host)}`, async () => {
      expect(await failureOf(host)).to.deep.equal({
        code: 'GIT_FAILED',
        details: { reason: 'address' },
        retryable: false,
      });
    });

  for (const addresses of [
    ['10.0.0.1'],
    ['93.184.216.34', '192.168.1.1'],
    ['93.184.216.34', '::1'],
    ['100.64.0.1'],
    [],
  ])
    it(`rejects a name with the addresses ${addresses.join(', ') || 'none'}`, async () => {
      expect(await failureOf('git.example', addresses)).to.deep.include({
        details: { reason: 'address' },
      });
    });

  it('may be tried again if the name does not resolve now', async () => {
    const failed = { code: 'GIT_FAILED', details: { reason: 'unreachable' }, retryable: true };
    expect(await failureOf('git.example', new Error('ESERVFAIL'))).to.deep.equal(failed);
  });
});
