/** Patterns of words with the same meaning. `SET THE? {field}` fits `update our headline`. */
export const synonyms = {
  SET: 'change|set|update|make|edit|rewrite|rename|modify|adjust',
  REPLACE: 'replace|substitute|change|rename|update|swap',
  ADD: 'add|insert|append|include|put|create',
  REMOVE: 'remove|delete|drop|take(?: out| down)?|get rid of|hide|cut',
  ERASE: 'delete|remove|drop|take down|get rid of',
  MOVE: 'move|put|place|bring|shift',
  SWAP: 'swap|switch|exchange|flip',
  NEW: 'create|make|add|set up|build',
  COPY: 'copy|duplicate|clone|make a copy of|create a copy of',
  FIX: 'fix|correct|repair',
  TYPO: '(?:spelling )?(?:typo|spelling|mistake|misspelling)',
  FOUND_TYPO: '(?:there is|i (?:found|spotted|noticed)|(?:fix|correct)) (?:a|the|this)(?: small)?',
  RAISE: 'raise|increase|put up|bump(?: up)?|lift',
  LOWER: 'lower|reduce|decrease|cut|drop',

  TO: '(?:so that )?(?:to|it (?:says|reads)|as|into)(?: be| read| say)?(?: :)?|say|read|(?:should|must)(?: now)? (?:be|read|say)|(?:says|reads|:|=|->|→)',
  WITH: 'with|by|to|for|into',
  THE: 'the|its|our|my|a|an|this',
  WHICH: 'the|all|every|each|any',
  WHAT: '(?:text|texts|word|words|phrase|sentence|name|occurrences of|mentions of)',
  FIELD:
    '(?:main |page |hero )?(?:headline|heading)|h1|(?:page |meta |seo |browser |html )?title(?: tag)?|(?:page |meta |seo )?description',
  ELEMENT: 'links?|buttons?',
  CALLED: 'called|labell?ed|named|titled|saying|that says|with the text|reading',
  LABEL: 'text|label|wording|words|caption',
  TARGET: 'target|url|href|address|destination|link',
  GOES: '(?:to )?(?:leads?|points?|goes|go|links?) to',
  ALT: 'alt(?:ernative)?(?:[ -]text)?|image (?:alt(?:[ -]text)?|description)',
  PICTURE: 'image|picture|photo|drawing|logo|icon',
  SHOULD_BE:
    '(?:should|must|needs to|has to|ought to)(?: be spelled| be spelt| be written| be)|->|→|=>',
  PART: 'paragraph|list item|bullet(?: point)?|item|(?:sub-?)?heading',
  ITEM: 'card|tile|box|(?:list |table )?(?:item|row|entry)|bullet(?: point)?|question|faq(?: entry)?|testimonial|quote|review|(?:team )?member|person|package|plan|tier|step',
  ITEMS:
    'cards|tiles|boxes|(?:list |table )?(?:items|rows|entries)|bullets|questions|faqs|testimonials|quotes|reviews|(?:team )?members|people|packages|plans|tiers|steps',
  GROUP:
    'list|cards|grid|tiles|table|rows|questions|faqs?|items|entries|team|people|staff|testimonials|reviews|packages|plans|steps',
  QUESTION: '(?:new )?(?:question|faq|q&a)(?: entry| item)?',
  ANSWER: '(?:(?:and|with) )?(?:(?:the|its|this) )?(?:answer|a)|with|and',
  SOURCE: 'from|like|(?:based|modell?ed) on|using|by copying|as a copy of',
  LINKS_TOO:
    '(?:and|with|including|along with|together with)(?: (?:remove|delete))?(?: (?:all|every|its|their|any))?(?: the)?(?: links?)(?: pointing)?(?: to (?:it|them))?|and everything that links to it',
  MENU: '(?:the |our )?(?:main |top |header )?(?:navigation|menu|nav)(?: bar)?',
  ENTRY: 'entry|item|link',
  WHERE: 'before|above|after|below|behind|under|on top of|ahead of|in front of',
  PHONE: '(?:(?:tele)?phone(?: number| line)?|(?:contact )?number|tel)',
  EMAIL: '(?:contact )?(?:e-?mail|mail)(?: address)?',
  BECOMES: 'is now|becomes|should now be|should be|has changed to|changes to',
  CHANGED: '(?:has |is |was )?(?:changed|changing|moved)',
  YEAR: '(?:copyright )?year|copyright(?: date| notice| year)?',
  IN_FOOTER: '(?:in|of) the (?:footer|copyright)',
  PRICE: 'prices?|cost|fee|rate',
  PRICES: '(?:all )?(?:of )?(?:the |our |my )?prices|(?:every|each) price',
  PACKAGE: 'package|plan|card|tier|option|product',
  COSTS:
    '(?:now )?costs?(?: now)?|(?:should|will)(?: now)? (?:cost|be)|is(?: now)?|goes up to|goes down to',
  WENT: '(?:goes|went|rises|rose|drops|dropped|changes|changed|has changed|increases|increased)(?: up| down)?',
  NOW: 'now|from now on|as of now|from today(?: on)?|as of today',
  WAS: ', instead of|instead of|rather than|, not|and not|up from|down from|, up from|, down from|, was|\\( was|\\( before|\\( not|\\( instead of',
  NOT: ', not|and not|, instead of|instead of|rather than|, no longer|, before|\\( before :|\\( formerly|, formerly',
  EVERYWHERE:
    'everywhere|site-?wide|(?:on|in|across|from|of) (?:(?:every|each) page|all(?: the| our)? pages)|(?:on|across|throughout|in|of) the (?:whole |entire )?(?:site|website)',
  ADVERB: 'right|directly|just|immediately',
  COMPANY: 'company|business|studio|firm|brand|site|website|agency',
  PAGE_NOUN: '(?:landing |location |city |service |product )?page|sub-?page',
};

/** Words that belong to the sentence around a name, and are never part of the name. */
export const SENTENCE_WORDS = `
  a an the our my your its his her their this that these those it they them he she we i you who whom
  whose which what not no never none nor nobody neither either without except excluding unless if
  whether when whenever while until till once instead rather otherwise only even maybe perhaps or
  other apart else anything everything something nothing everyone but than then just also again
  almost nearly always often sometimes twice all both every each any some such same too very more
  less most half quarter bit lot quite etc is are was were be been being am do does did has have had
  should would could may might must shall will can let says said say think thinks told tell asked
  asks ask want wants need needs because since as so after before during per yesterday today tomorrow
  tonight soon now later above below behind under via upon onto into off from of to by at with on in
  for and about next following previous starting beginning page pages section currently hardly
  change set update make edit rename replace swap find delete remove drop hide take get create add
  insert put copy move place link point fix correct raise increase lower reduce cut`
  .trim()
  .split(/\s+/);

/** Words that describe a text or how it should look (`bold`, `same`). None of them is a name. */
export const NO_NAMES = `
  english german french spanish italian portuguese dutch polish czech russian greek turkish danish
  swedish norwegian finnish chinese japanese korean arabic hindi hebrew arial helvetica verdana
  georgia courier nothing none null nil empty blank default original ditto placeholder something
  anything whatever usual requested agreed discussed suggested button dropdown submenu icon first last
  caps capitals it this that these those same previous hidden visible invisible bold italic italics
  left right center centre centered centred tba tbc tbd todo lorem ipsum xxx xyz abc foo option
  version variant choice one two red blue green black white grey gray yellow orange purple pink brown
  dark light mode see above below our your my the what surprise old new title headline heading
  name text slogan motto uppercase lowercase mention more less other another better nicer
  monday tuesday wednesday thursday friday saturday sunday tomorrow today`
  .trim()
  .split(/\s+/);
