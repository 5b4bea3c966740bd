import { expect } from 'chai';
import {
  checkRequestedDuplicates,
  checkNamedReferences,
} from '../../../../src/sites/checks/requestedAdditions.ts';

describe('checkNamedReferences', () => {
  const isNamed = (request: string, value: string) =>
    checkNamedReferences(request, [{ kind: 'host', value, what: '', keys: [] }])[0];

  it('treats a host with and without www as the same', () => {
    expect(isNamed('Instagram: instagram.com/acme', 'www.instagram.com')).to.equal(true);
    expect(isNamed('See https://www.acme.example/', 'acme.example')).to.equal(true);
    expect(isNamed('See acme.example', 'acme.example')).to.equal(true);
  });

  it('treats another part of a domain as another host', () => {
    expect(isNamed('See shop.acme.example', 'www.acme.example')).to.equal(false);
    expect(isNamed('See acme.example', 'shop.acme.example')).to.equal(false);
    expect(isNamed('See acme.example', 'www.acme.example.evil')).to.equal(false);
    expect(isNamed('See notacme.example', 'www.acme.example')).to.equal(false);
  });
});

describe('checkRequestedDuplicates', () => {
  const isAsked = (request: string, target: string, texts: string[]) =>
    checkRequestedDuplicates(request, [{ where: 'navigation', target, texts }])[0];

  it('treats links as requested if the request names their target or words', () => {
    expect(isAsked('Add /about to the menu as "Who we are"', '/about', ['About', 'Team'])).to.equal(
      true,
    );
    expect(isAsked('Add  who we\nare to the menu', '/about', ['About', 'Who we are'])).to.equal(
      true,
    );
    expect(isAsked('Link to about.html#team there', '/x', ['A', 'B'])).to.equal(false);
    expect(isAsked('Put a "Home" link to / there', '/', ['Start', 'Home page'])).to.equal(true);
    expect(isAsked('Link it to shop.example', 'https://www.shop.example/x', ['A', 'B'])).to.equal(
      true,
    );
  });

  it('treats others as a mistake, and two entries with the same words', () => {
    expect(isAsked('Change /about-us', '/about', ['One', 'Two'])).to.equal(false);
    expect(isAsked('Change /about/team', '/about', ['One', 'Two'])).to.equal(false);
    expect(isAsked('See https://a.example', '/', ['One', 'Two'])).to.equal(false);
    expect(isAsked('Change the words', '/about', ['Word', 'Two'])).to.equal(false);
    expect(isAsked('Add /about as "About"', '/about', ['About', 'about'])).to.equal(false);
  });
});
