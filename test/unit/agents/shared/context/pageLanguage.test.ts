import { expect } from 'chai';
import { unusedValuesSentence } from '../../../../../src/agents/shared/page/pageWarnings.ts';
import { languageTag } from '../../../../../src/text/languageTag.ts';
import { unknownLanguagePart } from '../../../../../src/agents/rules/page/fillPage.ts';
import { writeRulesPage } from '../../../../../src/agents/rules/page/writeRulesPage.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';

describe('languageTag', () => {
  const tags: [text: string, tag: string | null][] = [
    ['de', 'de'],
    ['pt_br', 'pt-BR'],
    ['EN-gb', 'en-GB'],
    ['sr-Latn-RS', 'sr-Latn-RS'],
    ['German', 'de'],
    ['Deutsch', 'de'],
    ['Französisch', 'fr'],
    ['português', 'pt'],
    ['English (UK)', 'en-GB'],
    ['Klingonisch', null],
    ['xx', null],
    ['de"><script>', null],
    ['', null],
  ];
  for (const [text, tag] of tags)
    it(`${text || 'nothing'} is ${tag}`, () => expect(languageTag(text)).to.equal(tag));
});

describe('the language of a new page', () => {
  const page = (lang: string, locale: string) =>
    `<!doctype html>\n<html ${lang}>\n<head><title>Rome</title><meta property="og:locale" content="${locale}">` +
    `<link rel="canonical" href="https://a.example/x/rome"><link rel="alternate" hreflang="${locale.slice(0, 2)}" href="https://a.example/x/rome">` +
    `<script type="application/ld+json">{"@type":"WebPage","inLanguage":"${locale.replace('_', '-')}","workTranslation":{"inLanguage":"fr"}}</script>` +
    '</head><body><h1>Rome</h1><p lang="la">Roma aeterna.</p></body></html>';

  function make(source: string, context: string) {
    const template = { path: 'x/rome.html', source };
    const { slug, slots, groups, digest } = pageCalls.readTemplate(template, []);
    const written = writeRulesPage(
      { slug, slots, groups },
      { targetPageSlug: '/x/rome', context: `Headline: Rom\n${context}` },
    );
    const target = { slug: '/x/rome', path: 'x/rome.html' };
    const html = pageCalls.create({
      ...written,
      template,
      target,
      digest,
      sitePaths: ['x/rome.html'],
      siblings: [],
    });
    const { violations: faults } = pageCalls.check({
      path: target.path,
      before: template,
      after: html,
      sitePaths: ['x/rome.html'],
      mayAddLinks: false,
    });
    expect(faults).to.deep.equal([]);
    return { html, warnings: written.notes.map(({ text }) => text).join('\n') };
  }
  const titled = (source: string) => source.replaceAll(/Rome</g, 'Rom<');

  it('is the one that the context names, in lang, og:locale, hreflang and inLanguage', () => {
    for (const key of ['lang', 'Language', 'Sprache'])
      expect(make(page('lang="en"', 'en_US'), `${key}: Deutsch`).html).to.equal(
        titled(page('lang="de"', 'de_DE').replace('"inLanguage":"de-DE"', '"inLanguage":"de"')),
      );
    expect(make(page("class='a'", 'en_US'), 'lang: de-AT').html)
      .to.contain('<html lang="de-AT" class=\'a\'>')
      .and.contain('content="de_AT"');
  });

  it('gives the page the direction in which it is written, and content-language', () => {
    const rule = (lang: string) => `<meta http-equiv="content-language" content="${lang}">`;
    const withRule = (attributes: string, lang: string) =>
      page(attributes, `${lang}_XX`).replace('<head>', `<head>${rule(lang)}`);
    for (const lang of ['ar', 'he', 'fa', 'ur'])
      expect(make(withRule('lang="en"', 'en'), `lang: ${lang}`).html)
        .to.contain(`<html dir="rtl" lang="${lang}">`)
        .and.contain(rule(lang));
    expect(make(withRule('lang="ar" dir="rtl"', 'ar'), 'lang: en').html)
      .to.contain('<html lang="en" dir="ltr">')
      .and.contain(rule('en'));
    expect(make(page('lang="en" dir="ltr"', 'en_US'), 'lang: de').html).to.contain('dir="ltr"');
    expect(make(page('lang="en"', 'en_US'), 'lang: de').html).not.to.contain('dir=');
  });

  it('turns what stands around the headline, and no other text', () => {
    const source = page('lang="fa"', 'fa_IR')
      .replace('<body>', '<body dir="rtl"><p dir="rtl">')
      .replace('<h1>', '<main DIR=rtl><h1>');
    expect(make(source, 'lang: pt').html)
      .to.contain('<body dir="ltr"><p dir="rtl">')
      .and.contain('<main DIR="ltr">');
  });

  it('is not guessed, and stays if the context names no known language', () => {
    const source = page('lang="en"', 'en_US');
    const german = make(source, 'Lead: Wir sind seit vielen Jahren für die Betriebe in Rom da.');
    expect(german.html).to.contain('<html lang="en">');
    const unknown = make(source, 'Sprache: Klingonisch');
    expect(unknown.html).to.equal(titled(source));
    expect(unknown.warnings).to.contain(unusedValuesSentence([unknownLanguagePart('Klingonisch')]));
  });
});
