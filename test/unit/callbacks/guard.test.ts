import { expect } from 'chai';
import { isPublicAddress } from '../../../src/callbacks/publicAddresses.ts';
import { checkCallbackUrl } from '../../../src/callbacks/callbackPolicy.ts';
import type { CallbackPolicy } from '../../../src/callbacks/callbackPolicy.ts';
import { DomainError } from '../../../src/errors.ts';

const publicAddress = '93.184.215.14';
const policy = (changes: Partial<CallbackPolicy> = {}): CallbackPolicy => ({
  allowPrivate: false,
  ownHosts: ['tasks.example.com', '.preview.example.net'],
  resolve: () => Promise.resolve([publicAddress]),
  ...changes,
});
const outcome = (url: string, changes?: Partial<CallbackPolicy>) =>
  checkCallbackUrl(url, policy(changes)).then(
    () => 'accepted',
    (error: unknown) => error as DomainError,
  );
const expectRefused = async (url: string, changes?: Partial<CallbackPolicy>) => {
  const error = await outcome(url, changes);
  expect(error).to.be.instanceOf(DomainError);
  expect(error).to.include({
    code: 'INVALID_CALLBACK_URL',
    message: 'Invalid callback URL',
    retryable: false,
  });
};

const refusedAddresses = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 169.254.0.1
  172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.9 192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1
  198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16
  :: ::1 ::7f00:1 ::a9fe:a9fe ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::8.8.8.8
  64:ff9b:1::1 100::1 100:0:0:1::1 1fff::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:1::1 2001:2::1 2001:10::1 2001:20::1 2001:30::1
  2001:1ff:ffff::1 2001:db8::1 2002:7f00:1::1 2002:808:808::1 2620:4f:8000::1 3fff::1 3fff:fff:ffff::1 4000::1 5f00::1 8000::1
  fc00::1 fd00:ec2::254 fdff::1 fe80::1 febf::1 fec0::1 ff02::1 ff0e::1
`
  .trim()
  .split(/\s+/);

const allowedAddresses = `
  1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15 168.63.129.17 169.253.255.255
  169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.88.98.255 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
  203.0.112.255 203.0.114.0 223.255.255.255
  2000::1 2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2003::1 2606:4700::1111 2620:4f:7fff::1 2620:4f:8001::1 3ffe::1
  3fff:1000::1
`
  .trim()
  .split(/\s+/);

const literal = (address: string) => (address.includes(':') ? `[${address}]` : address);

const refusedUrls: Record<string, string[]> = {
  'characters that no URL holds': [
    'https://example.com\\@127.0.0.1:1/',
    ' https://example.com/',
    'https://exa\nmple.com/',
    'https://example.com/\t',
  ],
  'no https URL': [
    '',
    '//example.com/',
    'http://example.com/',
    'file:///etc/passwd',
    'https://',
    'https://[::1',
  ],
  'spellings of loopback and private IPv4 addresses': [
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://10.1/',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://169.254.169.254/latest/meta-data/',
    'https:\\\\127.0.0.1\\',
    'https://127.0\t.0.1/',
    'https://\uff11\uff12\uff17.0.0.1/',
  ],
  'spellings of IPv6 addresses': [
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::]/',
    'https://[64:ff9b::169.254.169.254]/',
    'https://[2002:a9fe:a9fe::1]/',
    'https://[fe80::1]/',
    'https://[fe80::1%25eth0]/',
    'https://[fd00:ec2::254]/',
  ],
  'internal names': [
    'https://localhost/',
    'https://localhost./',
    'https://a.localhost/',
    'https://localhost/',
    'https://\uff4cocalhost/',
    'https://localhost.localdomain/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://router.home.arpa/',
    'https://intranet/',
  ],
  'credentials, ports and labels that no receiver needs': [
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://example.com:0/',
    'https://example.com../',
    'https://a..example.com/',
    'https://exa mple.com/',
    'https://example.com%00/',
  ],
  "the service's own host": [
    'https://tasks.example.com/',
    'https://TASKS.example.com:3000/api/v1',
    'https://tasks.example.com/',
    'https://\uff54asks.example.com/',
    'https://bg-1--acme.preview.example.net/',
    'https://preview.example.net/',
  ],
};

const allowedUrls = [
  'https://example.com',
  'https://example.com/hook?token=1#x',
  'https://example.com:8443/hook',
  'https://example.com./hook',
  'HTTPS://EXAMPLE.COM/',
  'https://@example.com/',
  'https://sub.domain.example.co.uk/a/b',
  'https://xn--bcher-kva.example/',
  'https://bücher.example/',
  'https://1.1.1.1/',
  'https://[2606:4700::1111]/',
  'https://localhost.example.com/',
  'https://local.example/',
  'https://notlocalhost.com/',
  'https://tasks.example.com.example.org/',
  'https://mytasks.example.com/',
  'https://mypreview.example.net/',
  'https://a_b.example.com/',
  'https://8.8.8.8:8443/',
];

describe('isPublicAddress', () => {
  for (const address of refusedAddresses)
    it(`rejects ${address}`, () => expect(isPublicAddress(address)).to.be.false);
  for (const address of allowedAddresses)
    it(`allows ${address}`, () => expect(isPublicAddress(address)).to.be.true);
  for (const text of [
    '',
    'example.com',
    '127.0.0.1.',
    '1.1.1',
    '01.1.1.1',
    '[::1]',
    '2606:4700::1111%eth0',
    ' 1.1.1.1',
  ])
    it(`rejects ${JSON.stringify(text)}, which is not an address`, () =>
      expect(isPublicAddress(text)).to.be.false);
});

describe('checkCallbackUrl', () => {
  for (const [what, urls] of Object.entries(refusedUrls))
    describe(`rejects ${what}`, () => {
      for (const url of urls) it(JSON.stringify(url), () => expectRefused(url));
    });

  describe('rejects every literal address that is not public', () => {
    for (const address of refusedAddresses)
      it(address, () => expectRefused(`https://${literal(address)}/hook`));
  });

  describe('accepts the callback URL', () => {
    for (const url of allowedUrls)
      it(url, async () => expect(await outcome(url)).to.equal('accepted'));
  });

  it('rejects a name if any one of its addresses is not public', async () => {
    for (const bad of ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1'])
      await expectRefused('https://example.com/', {
        resolve: () => Promise.resolve([publicAddress, bad]),
      });
  });

  it('accepts a name that does not resolve yet', async () => {
    const resolve = () => Promise.reject(new Error('queryA ENOTFOUND'));
    expect(await outcome('https://example.com/', { resolve })).to.equal('accepted');
  });

  it('asks the resolver for the ASCII name without its trailing dot, and never for an IP address', async () => {
    const asked: string[] = [];
    const resolve = (hostname: string) => Promise.resolve((asked.push(hostname), [publicAddress]));
    for (const url of [
      'https://BÜCHER.example./',
      'https://1.1.1.1/',
      'https://[2606:4700::1111]/',
    ])
      expect(await outcome(url, { resolve })).to.equal('accepted');
    expect(asked).to.deep.equal(['xn--bcher-kva.example']);
  });

  it('allows private addresses, names and plain http for local tests, but nothing malformed', async () => {
    for (const url of [
      'http://localhost:8080/',
      'http://127.0.0.1:1/',
      'https://[::1]/',
      'http://intranet/',
      'https://tasks.example.com/',
    ])
      expect(await outcome(url, { allowPrivate: true }), url).to.equal('accepted');
    for (const url of [
      'ftp://localhost/',
      'http://user@localhost/',
      'http://localhost:0/',
      'http://a..b/',
      'x',
    ])
      await expectRefused(url, { allowPrivate: true });
  });
});
