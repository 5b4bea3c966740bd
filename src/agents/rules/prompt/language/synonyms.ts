import { phraseLists, wordSet } from '../../../../text/wordLists.ts';

/**
 * Lists of words and phrases with the same meaning, in lower case, by the name that shapes use. In
 * a phrase, `a/b` means one of these words, and `?` marks an optional word.
 */
const lists = phraseLists({
  SET: 'change | set | update | make | edit | rewrite | rename | modify | adjust',
  REPLACE: 'replace | substitute | change | rename | update',
  ADD: 'add | insert | append | include | put | create',
  REMOVE: 'remove | delete | drop | take out/down | get rid of | hide | cut',
  ERASE: 'delete | remove | drop | take down | get rid of',
  MOVE: 'move | put | place | bring | shift',
  SWAP: 'swap | switch | exchange | flip',
  COPY: 'copy | duplicate | clone | make/create a copy of',
  NEW: 'create | make | add | set up',
  POINT: 'link | point',
  FIX: 'fix | correct | repair',

  TO: `
    = :? | to be/read/say :? | to/as/into/with/say/read/be :? | should/must be/read/say :? |
    reads/says :? | : | so that? it says/reads | to now say/read | should now say/read/be`,
  WITH: 'with | by | to | for | into',
  OF: 'of | on | for | in | at',
  IN: 'of | on | for | in | at | from',
  THE: 'the | its | our | my | a | an | this',
  WHICH: 'the | all | every | each | any',
  WHAT: `
    text/texts/word/words/phrase/sentence/name |
    occurrence/occurrences/instance/instances/mention/mentions of`,
  EVERYWHERE: `
    everywhere | site-wide | sitewide | on every/each page | on all the? pages |
    across the whole/entire? site/website | throughout the whole? site/website |
    on the whole? site/website | on the entire site | in the site | in the whole site/website |
    of the whole site | of every/each page | of all the? pages | in/from every page |
    in/from/for all pages`,

  FIELD: `
    headline | heading | h1 | main/hero/page headline/heading | title | title tag | page title |
    page title tag | meta/seo/browser/html title | description | page/meta/seo description`,
  ELEMENT: 'link | button | links | buttons',
  CALLED: `
    called | labelled | labeled | named | titled | saying | that says | with the text/texts |
    reading`,
  TARGET: 'target | url | href | address | destination | link',
  LABEL: 'text | label | wording | words | caption',
  LEADS: 'that leads/links/points/goes to | leading/linking/pointing/going to',
  ALL: 'all | every | each | all the/our | all of the/our',
  LEFT: 'left us | left the company | left the/our team | left',
  PER: `
    a/per/each/every month | monthly | a/per/each/every year | yearly | annually | a/per week |
    weekly | a/per day | daily | an/per hour | hourly | a/per person/user/seat`,
  SAY: 'say | says | read | reads | show | shows | have | has',
  NOW_CALLED: `
    is now? called | should now? be called | should be/say/read | must be called | must say |
    becomes | will be called | is now named | should be named | is renamed to |
    has been renamed to`,
  FORMERLY: `
    (before :? | (formerly :? | (previously :? | (was :? | , before : | , it was | ,? formerly |
    ,? previously`,
  CLOSE: ')',
  WHOLLY: `
    with/and all/everything that belongs to them | with everything | with all? their texts |
    completely | entirely | including everything | including everything/all that belongs to them`,
  SORT: `
    faq | faqs | question | questions | text | main | content | info | information | small | big |
    large`,
  DATED: `
    is/are from/dated | should be from/dated | must be from | is/are of | is/are | should/must be`,
  ENTRIES: `
    articles | posts | blog posts | entries | dates | date | article | post | news | events | it |
    this | everything`,
  GOES: `
    lead/leads/point/points/go/goes/link/links to | to lead/point/go/link to |
    so that it leads/points/goes/links to`,
  ALT: `
    alt/alternative | alt/alternative text | alt-text | alternative-text | image alt |
    image alt text | image alt-text | description | image text/description`,
  PICTURE: 'image | picture | photo | drawing | logo | icon',

  SHOULD_BE: `
    should/must be/read | needs/has/ought to be | should be spelled/spelt/written |
    is spelled/spelt`,
  PART: `
    paragraph | list item | bullet | bullet point | item | heading | subheading | sub-heading |
    sub heading`,
  UNDER: 'under | below | beneath | in | of',
  ITEM: `
    card | tile | box | list item | bullet | bullet point | item | entry | row | table row |
    question | faq | faq entry | testimonial | quote | team member | member | person | package |
    plan | step | review`,
  ITEMS: `
    cards | tiles | boxes | list items | bullets | bullet points | items | entries | rows |
    table rows | questions | faqs | faq entries | testimonials | quotes | team members | members |
    people | packages | plans | steps | reviews`,
  GROUP: `
    people | staff | crew | list | bullets | cards | grid | tiles | table | rows | questions | faq |
    faqs | items | entries | group | team | testimonials | packages | plans | steps`,
  SOURCE: `
    from | like | based/modelled/modeled on | using | out of | by copying | as a copy of`,
  FOR_: 'for | about',
  LINKS_TOO: `
    and remove? the links to it | and the links to them | and links to it/them |
    and remove? all links pointing? to it | and all links to them | and remove? all the links to it |
    and remove? every link pointing? to it | and its/their links | with its links |
    with all links | together/along with all/the links to it | together/along with its links |
    with all links to it | including the/all? links to it | including its links |
    and everything that links to it | and the links that lead to it |
    and the links pointing to it | and take out the links to it | and delete all/the links to it |
    and remove any links to it | ,? and any links to it`,
  QUESTION: `
    question/questions/faq/faqs/q&a | faq entry/entries/item/question | question and answer |
    questions and answers`,
  ANSWER: 'a | and? the/its? answer | with the answer',
  MENU: `
    the navigation/menu/nav/navbar | the main/top menu/navigation | the nav/navigation bar |
    the header menu | navigation | menu | our navigation/menu`,
  IN_MENU: `
    in the navigation/menu/nav/navbar | in the main/top menu/navigation | in the nav/navigation bar |
    in the header menu | in navigation | in the menus | of the navigation/menu`,
  FROM_MENU: `
    from the navigation/menu/nav/navbar | from the main/top menu/navigation |
    from the nav/navigation bar | from the header menu | from navigation |
    in the navigation/menu | in the top menu/navigation`,
  MENU_ENTRY: 'menu/navigation/nav entry/item/link',
  WHERE: `
    before | above | after | below | behind | under | beneath | underneath | on top of | ahead of |
    in front of`,
  PHONE: `
    number | phone line | line | phone | phone number | telephone | telephone number | phone no |
    tel | number to call | contact number`,
  EMAIL: 'email/e-mail | email/e-mail/mail address | contact email/e-mail | mail',
  HAS_CHANGED: 'changed | has changed | changes | was changed | moves | moved',
  IT_CHANGED: `
    ,? it has/is? changed | it changes | ,? which has? changed | because it has? changed |
    as it changed`,
  IT_IS: ',? it is now | ,? the new one/number/address is | ,? it should be/read',
  WENT: `
    goes | rises | rose | increases | increased | drops | dropped | is going up/down | will go up |
    will go | is going | has/was? changed | changes | went | goes/went up/down`,
  YEAR: `
    year | copyright year | copyright | copyright date | year in/of the copyright |
    copyright notice`,
  PRICE: 'price | prices | cost | fee | rate',
  PRICES: `
    the/our/my/its/any? prices | all the/our? prices | all of our prices | every/each price`,
  DEARER: 'higher | more expensive',
  PACKAGE: 'package | plan | card | tier | option | product',
  COSTS: 'costs now? | now costs | should/will now? cost | is now | goes up to',
  NOW: 'now | from now on | as of now | from today | from today on | as of today',
  RAISE: 'raise | increase | put up | bump | bump up | lift',
  LOWER: 'lower | reduce | decrease | cut | drop',
  ORDER_OF: 'the order/places/positions/position of | order/places/positions of | around',
  WAS: `
    ,? instead of | rather than | ,? and? not | ,? up/down from | ,? was | , it was |
    ,? previously | ,? before | (was | (previously | (before | (instead of | (up from |
    (down from | (not | (formerly | (it was | , formerly`,
  NOT: ',? and? not | ,? instead of | ,? rather than | ,? no longer | and no longer',
  ANY_MORE: 'any more | anymore | any longer',
  THESE: `
    these | the following | these things/issues/texts/points | the following things/texts`,
  NOW_IS: `
    is | becomes | is now | now becomes | becomes now | should/must/will now? be | has to be |
    changes to | has? changed to | is replaced by`,
  ADVERB: 'right | directly | just | immediately | straight',
  BE: 'is/are | will now? be | is/are going to be',
  PAGE_: 'page | landing/location/city/service/product page | subpage | sub-page',
  USED_TO_BE: `
    ,? it was | ,? it used to be | ,? previously | , before it was | ,? not | and not |
    ,? instead of | and no longer | , no longer | used to be | ,? formerly | (was | (before |
    (previously | (formerly | (not`,
  MISTAKE: `
    a? typo | a small/little typo | a? mistake | a small mistake | a? misspelling |
    some/two/these? typos | a few typos | a couple of typos | the following typos |
    some/these? mistakes | some? spelling mistakes | a spelling mistake`,
  CHANGES: `
    change | some/these/following/two/three/small/quick? changes | a couple of changes/updates |
    a few small/quick? changes | some small changes | some/these/following/small? updates/edits |
    a few updates/edits/fixes/corrections | some? fixes/corrections/requests`,
  SIGNED: `
    best | best/kind/warm? regards | best wishes | all the best | sincerely | yours |
    many? thanks | thank you | cheers`,
  HOURS: 'hours | opening hours/times/time | business hours | times',
  COMPANY: 'company | business | studio | firm | brand | site | website | agency',
  RENAME: 'rename | call | rebrand',
  NAME_IS: `
    our name is | our company/business/studio/firm/brand/site/website/agency name is |
    our company/business/studio/firm/brand/site/website/agency 's name is`,
  ADDRESS: 'slug | url | address | path | location',
});

export type SynonymName = keyof typeof lists;

/** All variants of a phrase with `a/b` and `?`, the longer ones first. */
const variantsOf = (phrase: string): string[] =>
  phrase
    .split(' ')
    .reduce(
      (starts, word) =>
        starts.flatMap((start) => word.split(/[/?]/).map((choice) => `${start} ${choice}`.trim())),
      [''],
    );

/** The phrases for each name, in the order in which they are tried. */
export const synonyms = Object.fromEntries(
  Object.entries(lists).map(([name, list]) => [name, list.flatMap(variantsOf)]),
) as typeof lists;

/** Words that begin an instruction. */
export const verbs = wordSet(`
  change set update make edit rewrite rename modify adjust replace swap switch exchange flip
  substitute find delete remove drop hide cut take get create add insert append include put copy
  duplicate clone move place bring shift link point fix correct repair raise increase lower reduce
  decrease turn bump`);

const known = new Set([
  ...verbs,
  ...Object.values(synonyms)
    .flat()
    .flatMap((phrase) => phrase.split(' ')),
]);

/** All words that belong to the language, the most common ones first. */
export const knownWords = [...known];

/** Whether a word belongs to the language. */
export const isKnown = (word: string) => known.has(word);
