/** Words and phrases that mean the same, in lower case, by the name that shapes have for them. */
export const synonyms: Record<string, string> = {
  SET: 'change|set|update|make|edit|rewrite|rename|modify|adjust',
  REPLACE: 'replace|substitute|change|rename|update',
  ADD: 'add|insert|append|include|put|create',
  REMOVE: 'remove|delete|drop|take out|take down|get rid of|hide|cut',
  ERASE: 'delete|remove|drop|take down|get rid of',
  MOVE: 'move|put|place|bring|shift',
  SWAP: 'swap|switch|exchange|flip',
  COPY: 'copy|duplicate|clone|make a copy of|create a copy of',
  NEW: 'create|make|add|set up',
  POINT: 'link|point',
  FIX: 'fix|correct|repair',

  TO: '= :|to be :|to read :|to say :|to :|as :|into :|with :|say :|read :|be :|should be :|should read :|should say :|must be :|must read :|must say :|reads :|says :|= |: |to be|to read|to say|to|as|into|with|say|read|be|should be|should read|should say|must be|must read|must say|reads|says|=|:|so that it says|so it says|so that it reads|so it reads|to now say|to now read|should now say|should now read|should now be',
  WITH: 'with|by|to|for|into',
  OF: 'of|on|for|in|at',
  IN: 'of|on|for|in|at|from',
  THE: 'the|its|our|my|a|an|this',
  WHICH: 'the|all|every|each|any',
  WHAT: 'text|texts|word|words|phrase|sentence|name|occurrence of|occurrences of|instance of|instances of|mention of|mentions of',
  EVERYWHERE:
    'everywhere|site-wide|sitewide|on every page|on each page|on all pages|on all the pages|across the site|across the website|across the whole site|across the whole website|across the entire site|across the entire website|throughout the site|throughout the website|throughout the whole site|throughout the whole website|on the site|on the website|on the whole site|on the whole website|on the entire site|in the site|in the whole site|in the whole website|of the whole site|of every page|of each page|of all pages|of all the pages|in every page|in all pages|from every page|from all pages|for all pages',

  FIELD:
    'headline|heading|h1|main headline|main heading|hero headline|hero heading|page headline|page heading|title|title tag|page title|page title tag|meta title|seo title|browser title|html title|description|page description|meta description|seo description',
  ELEMENT: 'link|button|links|buttons',
  CALLED:
    'called|labelled|labeled|named|titled|saying|that says|with the text|with the texts|reading',
  TARGET: 'target|url|href|address|destination|link',
  LABEL: 'text|label|wording|words|caption',
  LEADS:
    'that leads to|that links to|that points to|that goes to|leading to|linking to|pointing to|going to',
  ALL: 'all|every|each|all the|all our|all of the|all of our',
  LEFT: 'left us|left the company|left the team|left our team|left',
  PER: 'a month|per month|each month|every month|monthly|a year|per year|each year|every year|yearly|annually|a week|per week|weekly|a day|per day|daily|an hour|per hour|hourly|a person|per person|a user|per user|a seat|per seat',
  SAY: 'say|says|read|reads|show|shows|have|has',
  NOW_CALLED:
    'is now called|is called|should be called|should now be called|should be|should say|should read|must be called|must say|becomes|will be called|is now named|should be named|is renamed to|has been renamed to',
  FORMERLY:
    '(before :|(before|(formerly :|(formerly|(previously :|(previously|(was :|(was|, before :|, formerly|, previously|, it was|formerly|previously',
  CLOSE: ')',
  WHOLLY:
    'with all that belongs to them|with everything that belongs to them|and all that belongs to them|and everything that belongs to them|with everything|with all their texts|with their texts|completely|entirely|including everything|including everything that belongs to them|including all that belongs to them',
  SORT: 'faq|faqs|question|questions|text|main|content|info|information|small|big|large',
  DATED:
    'is from|are from|is dated|are dated|should be from|should be dated|must be from|is of|are of|is|are|should be|must be',
  ENTRIES:
    'articles|posts|blog posts|entries|dates|date|article|post|news|events|it|this|everything',
  GOES: 'lead to|leads to|point to|points to|go to|goes to|link to|links to|to lead to|to point to|to go to|to link to|so that it leads to|so that it points to|so that it goes to|so that it links to',
  ALT: 'alt|alternative|alt text|alt-text|alternative text|alternative-text|image alt|image alt text|image alt-text|description|image text|image description',
  PICTURE: 'image|picture|photo|drawing|logo|icon',

  SHOULD_BE:
    'should be|must be|should read|must read|needs to be|has to be|ought to be|should be spelled|should be spelt|should be written|is spelled|is spelt',
  PART: 'paragraph|list item|bullet|bullet point|item|heading|subheading|sub-heading|sub heading',
  UNDER: 'under|below|beneath|in|of',
  ITEM: 'card|tile|box|list item|bullet|bullet point|item|entry|row|table row|question|faq|faq entry|testimonial|quote|team member|member|person|package|plan|step|review',
  ITEMS:
    'cards|tiles|boxes|list items|bullets|bullet points|items|entries|rows|table rows|questions|faqs|faq entries|testimonials|quotes|team members|members|people|packages|plans|steps|reviews',
  GROUP:
    'people|staff|crew|list|bullets|cards|grid|tiles|table|rows|questions|faq|faqs|items|entries|group|team|testimonials|packages|plans|steps',
  SOURCE: 'from|like|based on|modelled on|modeled on|using|out of|by copying|as a copy of',
  FOR_: 'for|about',
  LINKS_TOO:
    'and the links to it|and the links to them|and all links to it|and all links to them|and all the links to it|and every link to it|and links to it|and links to them|and its links|and their links|with its links|with all links|together with all links to it|together with the links to it|together with its links|along with all links to it|along with the links to it|along with its links|with all links to it|including links to it|including the links to it|including all links to it|including its links|and everything that links to it|and the links that lead to it|and the links pointing to it|and remove the links to it|and remove all links to it|and remove every link to it|and remove every link pointing to it|and remove all links pointing to it|and every link pointing to it|and all links pointing to it|and remove all the links to it|and take out the links to it|and delete all links to it|and delete the links to it|and remove any links to it|and any links to it|, and any links to it',
  QUESTION:
    'question|questions|faq|faqs|q&a|faq entry|faq entries|faq item|faq question|question and answer|questions and answers',
  ANSWER: 'a|answer|the answer|and the answer|and answer|its answer|and its answer|with the answer',
  MENU: 'the navigation|the menu|the nav|the main menu|the main navigation|the nav bar|the navbar|the navigation bar|the top menu|the top navigation|the header menu|navigation|menu|our navigation|our menu',
  IN_MENU:
    'in the navigation|in the menu|in the nav|in the main menu|in the main navigation|in the nav bar|in the navbar|in the navigation bar|in the top menu|in the top navigation|in the header menu|in navigation|in the menus|of the navigation|of the menu',
  FROM_MENU:
    'from the navigation|from the menu|from the nav|from the main menu|from the main navigation|from the nav bar|from the navbar|from the navigation bar|from the top menu|from the top navigation|from the header menu|from navigation|in the navigation|in the menu|in the top menu|in the top navigation',
  MENU_ENTRY:
    'menu entry|menu item|menu link|navigation entry|navigation item|navigation link|nav item|nav link|nav entry',
  WHERE: 'before|above|after|below|behind|under|beneath|underneath|on top of|ahead of|in front of',
  PHONE:
    'number|phone line|line|phone|phone number|telephone|telephone number|phone no|tel|number to call|contact number',
  EMAIL: 'email|e-mail|email address|e-mail address|mail address|contact email|contact e-mail|mail',
  HAS_CHANGED: 'changed|has changed|changes|was changed|moves|moved',
  IT_CHANGED:
    'it changed|it has changed|it is changed|it changes|, it changed|, it has changed|, it is changed|which changed|which has changed|, which changed|, which has changed|because it changed|because it has changed|as it changed',
  IT_IS:
    'it is now|, it is now|the new one is|, the new one is|the new number is|, the new number is|the new address is|, the new address is|it should be|, it should be|it should read|, it should read',
  WENT: 'goes|rises|rose|increases|increased|drops|dropped|is going up|is going down|will go up|will go|is going|changed|has changed|changes|was changed|went|goes|went up|goes up|goes down|went down',
  YEAR: 'year|copyright year|copyright|copyright date|year in the copyright|year of the copyright|copyright notice',
  PRICE: 'price|prices|cost|fee|rate',
  PRICES:
    'prices|the prices|our prices|my prices|its prices|all prices|all the prices|all our prices|all of our prices|any prices|every price|each price',
  DEARER: 'higher|more expensive',
  PACKAGE: 'package|plan|card|tier|option|product',
  COSTS:
    'costs now|now costs|costs|should cost|is now|goes up to|will cost|will now cost|should now cost',
  NOW: 'now|from now on|as of now|from today|from today on|as of today',
  RAISE: 'raise|increase|put up|bump|bump up|lift',
  LOWER: 'lower|reduce|decrease|cut|drop',
  ORDER_OF:
    'the order of|the places of|the positions of|the position of|order of|places of|positions of|around',
  WAS: 'instead of|, instead of|rather than|not|, not|and not|, and not|up from|, up from|down from|, down from|, was|was|, it was|, previously|, before|before|previously|(was|(previously|(before|(instead of|(up from|(down from|(not|(formerly|(it was|, formerly',
  NOT: 'not|, not|and not|, and not|instead of|, instead of|rather than|, rather than|no longer|, no longer|and no longer',
  ANY_MORE: 'any more|anymore|any longer',
  THESE:
    'these|the following|these things|the following things|these issues|these texts|the following texts|these points',
  NOW_IS:
    'is|becomes|is now|now becomes|becomes now|should be|should now be|must be|must now be|has to be|will be|will now be|changes to|changed to|has changed to|is replaced by',
  ADVERB: 'right|directly|just|immediately|straight',
  BE: 'is|are|will be|will now be|is going to be|are going to be',
  PAGE_: 'page|landing page|location page|city page|service page|product page|subpage|sub-page',
  USED_TO_BE:
    'it was|, it was|it used to be|, it used to be|, previously|previously|, before it was|not|, not|and not|instead of|, instead of|and no longer|, no longer|used to be|, formerly|formerly|(was|(before|(previously|(formerly|(not',
  MISTAKE:
    'typo|a typo|a small typo|a little typo|mistake|a mistake|a small mistake|misspelling|a misspelling|typos|some typos|two typos|a few typos|a couple of typos|these typos|the following typos|mistakes|some mistakes|these mistakes|spelling mistakes|some spelling mistakes|a spelling mistake',
  CHANGES:
    'change|changes|some changes|a few changes|a couple of changes|these changes|following changes|two changes|three changes|small changes|a few small changes|a few quick changes|some small changes|quick changes|updates|some updates|a few updates|a couple of updates|these updates|following updates|small updates|edits|some edits|a few edits|these edits|following edits|small edits|fixes|some fixes|a few fixes|corrections|some corrections|a few corrections|requests|some requests',
  SIGNED:
    'best|best regards|kind regards|warm regards|regards|best wishes|all the best|sincerely|yours|thanks|many thanks|thank you|cheers',
  HOURS: 'hours|opening hours|opening times|opening time|business hours|times',
  COMPANY: 'company|business|studio|firm|brand|site|website|agency',
  RENAME: 'rename|call|rebrand',
  ADDRESS: 'slug|url|address|path|location',
};

/** Words with which an instruction begins. */
export const verbs = new Set(
  'change set update make edit rewrite rename modify adjust replace swap switch exchange flip substitute find delete remove drop hide cut take get create add insert append include put copy duplicate clone move place bring shift link point fix correct repair raise increase lower reduce decrease turn bump'.split(
    ' ',
  ),
);

const known = new Set([
  ...verbs,
  ...Object.values(synonyms).flatMap((phrases) => phrases.split(/[| ]/)),
]);

/** All of the language's own words, the usual ones first. */
export const knownWords = [...known];

/** Whether a word is one of the language's own: it names nothing of a site. */
export const isKnown = (word: string) => known.has(word);
