import fc from 'fast-check';

/** Tags, texts and other pieces of pages. */
export const pieces = [
  ...'p li ul td tr table b a span div h2 em pre button select option title svg text textarea template noscript ruby rt body html head form'
    .split(' ')
    .flatMap((name) => [`<${name}>`, `</${name}>`]),
  'word',
  ' two words ',
  '\r\n  ',
  '&amp;',
  '&nbsp;x',
  '&notit;',
  '<',
  '< 5',
  '\\<1>',
  '<1>',
  '&lt;2/&gt;',
  'é👩‍💻',
  '\0',
  '/>',
  "'",
  '"',
  '<br>',
  '<img alt="word">',
  '<img alt="a &quot; b" title=\'it is\'>',
  '<input placeholder="x" type=submit value="Go">',
  '<a href=x title="t">',
  '<!-- c -->',
  '<!doctype html>',
  '</nothing>',
  '<script>let word;</script>',
  '<style>p{}</style>',
  '<![CDATA[word]]>',
  '<i></i>',
  '<script type="application/ld+json">{"name":"a word","url":"https://x.example/"}</script>',
  '<meta name=description content="a word">',
];

/** Pages of such pieces in any order. */
export const soup = fc
  .array(fc.constantFrom(...pieces), { maxLength: 30 })
  .map((list) => list.join(''));
