import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenAddresses, openServers } from '../../src/api/openServers.ts';

/** For documentation only (RFC 3849): no machine has it. */
const nobodys = '2001:db8::1';

describe('openServers(create, addresses, port)', () => {
  const made: Server[] = [];
  const create = () => {
    const server = createServer();
    made.push(server);
    return server;
  };
  afterEach(() => {
    for (const server of made.splice(0)) server.close();
  });
  const addressesIn = (servers: Server[]) =>
    servers.map((server) => server.address() as AddressInfo);
  const failureOf = (addresses: string[], port: number) =>
    openServers(create, addresses, port).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );

  it('opens both addresses of localhost on one port, and a free port for 0', async () => {
    const { servers, port } = await openServers(create, listenAddresses('localhost'), 0);
    expect(addressesIn(servers)).to.deep.equal([
      { address: '127.0.0.1', family: 'IPv4', port },
      { address: '::1', family: 'IPv6', port },
    ]);
  });

  it('fails if the system has neither address', async () => {
    expect(await failureOf([nobodys], 0)).to.equal('EADDRNOTAVAIL');
    expect(await failureOf([nobodys, '2001:db8::2'], 0)).to.equal('EADDRNOTAVAIL');
  });

  for (const taken of listenAddresses('localhost'))
    it(`fails if another program uses the port at ${taken}, and leaves no server open`, async () => {
      const other = await openServers(create, [taken], 0);
      expect(await failureOf(listenAddresses('localhost'), other.port)).to.equal('EADDRINUSE');
      expect(made.filter(({ listening }) => listening)).to.have.length(1);
    });

  it('tries another free port if the port is taken on the second address', async () => {
    const taken = await openServers(create, ['::1'], 0);
    let asked = 0;
    /** The first server gets the taken port, as chance would have it. */
    const unlucky = () => {
      const server = create();
      const listen = server.listen.bind(server) as (port: number, address: string) => Server;
      const isFirst = asked++ === 0;
      return Object.assign(server, {
        listen: (port: number, address: string) => listen(isFirst ? taken.port : port, address),
      });
    };
    const { servers, port } = await openServers(unlucky, listenAddresses('localhost'), 0);
    expect(servers.map(({ listening }) => listening)).to.deep.equal([true, true]);
    expect(port).to.not.equal(taken.port);
    expect(made.filter(({ listening }) => listening)).to.have.length(3);
  });
});
