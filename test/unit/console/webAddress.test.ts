import { expect } from 'chai';
import { openableUrl } from '../../../src/console/browser/openableUrl.ts';

describe('the address of a link to a forge or a host', () => {
  for (const [text, address] of [
    ['https://forge.example/team/site/pulls/3', 'https://forge.example/team/site/pulls/3'],
    ['http://127.0.0.1:3000/x', 'http://127.0.0.1:3000/x'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['/tasks', null],
    ['', null],
  ] as const)
    it(`of ${text || 'nothing'} is ${address ?? 'none'}`, () => {
      expect(openableUrl(text)).to.equal(address);
    });
});
