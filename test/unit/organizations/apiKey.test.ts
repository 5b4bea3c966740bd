import { expect } from 'chai';
import { hashOfApiKey, isApiKey, newApiKey } from '../../../src/organizations/apiKey.ts';

describe('API keys', () => {
  it('are ak_ with 46 base62 characters', () => {
    expect(newApiKey()).to.match(/^ak_[0-9A-Za-z]{46}$/);
  });

  it('always pass their own check', () => {
    for (let made = 0; made < 500; made++) expect(isApiKey(newApiKey())).to.equal(true);
  });

  it('never repeat, and use all characters equally', () => {
    const keys = Array.from({ length: 500 }, newApiKey);
    expect(new Set(keys)).to.have.property('size', 500);
    const seen = new Set(keys.flatMap((key) => [...key.slice(3, 43)]));
    expect(seen).to.have.property('size', 62);
  });

  it('fail the check if any one character changes', () => {
    const key = newApiKey();
    for (let at = 3; at < key.length; at++) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1)), `character ${at}`).to.equal(
        false,
      );
    }
  });

  for (const text of [
    '',
    'ak_',
    'ak_short',
    `ak_${'0'.repeat(46)}`,
    `ak_${'a'.repeat(10_000)}`,
    'ak_\0',
    'AK_x',
  ])
    it(`can't be ${JSON.stringify(text.slice(0, 20))} of ${text.length} characters`, () => {
      expect(isApiKey(text)).to.equal(false);
    });

  it('end without a line break', () => {
    expect(isApiKey(`${newApiKey()}\n`)).to.equal(false);
  });

  it('are stored as SHA-256', () => {
    expect(hashOfApiKey('abc')).to.equal(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
