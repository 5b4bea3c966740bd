import { expect } from 'chai';
import { namedOutsiders } from '../../../../src/sites/checks/namedOutsiders.ts';

describe('namedOutsiders', () => {
  const isNamed = (request: string, value: string) =>
    namedOutsiders(request, [{ kind: 'host', value, what: '', keys: [] }])[0];

  it('takes a host with and without www for the same', () => {
    expect(isNamed('Instagram: instagram.com/acme', 'www.instagram.com')).to.equal(true);
    expect(isNamed('See https://www.acme.example/', 'acme.example')).to.equal(true);
    expect(isNamed('See acme.example', 'acme.example')).to.equal(true);
  });

  it('takes another part of a domain for another host', () => {
    expect(isNamed('See shop.acme.example', 'www.acme.example')).to.equal(false);
    expect(isNamed('See acme.example', 'shop.acme.example')).to.equal(false);
    expect(isNamed('See acme.example', 'www.acme.example.evil')).to.equal(false);
    expect(isNamed('See notacme.example', 'www.acme.example')).to.equal(false);
  });
});
